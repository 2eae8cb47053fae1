# %% concat_heads
def concat_heads(x):
    return np.zeros((0, x.shape[2], x.shape[1] * x.shape[3]), dtype=x.dtype)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    return np.zeros((0, *query.shape[1:])), np.zeros((0, num_heads, query.shape[1], key.shape[1]))
