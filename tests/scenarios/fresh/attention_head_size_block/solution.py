# %% concat_heads
def concat_heads(x):
    batch, heads, time, size = x.shape
    x = np.swapaxes(x, 1, 2)
    return x.reshape(batch, time, heads * size)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    heads, w = multi_head_attention_per_head(query, key, value, num_heads, mask)
    hs = heads.shape[-1]
    # project every head with its own little matrix, then join them
    projected = np.empty_like(heads)
    for i in range(num_heads):
        block = weight_o[i * hs:(i + 1) * hs, i * hs:(i + 1) * hs]
        projected[:, i] = heads[:, i] @ block.T
    return concat_heads(projected) + bias_o, w
