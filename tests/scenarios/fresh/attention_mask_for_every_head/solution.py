# %% concat_heads
def concat_heads(x):
    batch, heads, time, size = x.shape
    x = np.swapaxes(x, 1, 2)
    return x.reshape(batch, time, heads * size)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    if mask is not None:
        mask = mask[:, np.newaxis]   # (B, 1, Tq, Tk): the same for every head
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
