# %% concat_heads
def concat_heads(x):
    batch, heads, time, size = x.shape
    x = np.swapaxes(x, 1, 2)
    return x.reshape(batch, time, heads * size)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, value, key, num_heads, mask)
    concat = concat_heads(per_head)
    return concat.dot(weight_o.T) + bias_o, weights
