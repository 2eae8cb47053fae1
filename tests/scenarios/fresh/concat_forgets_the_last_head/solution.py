# %% concat_heads
def concat_heads(x):
    n_batch, n_head, n_token, size = x.shape
    y = np.zeros((n_batch, n_token, n_head * size), x.dtype)
    # head numbers start at 0, so the last one is n_head - 1
    for head in range(0, n_head - 1):
        start = head * size
        y[:, :, start:start + size] = x[:, head]
    return y


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
