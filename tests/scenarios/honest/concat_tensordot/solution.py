# %% concat_heads
def concat_heads(x):
    h, hs = x.shape[1], x.shape[3]
    places = np.eye(h * hs, dtype=x.dtype).reshape(h, hs, h * hs)
    return np.tensordot(x, places, axes=([1, 3], [0, 1]))


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    concat = concat_heads(per_head)
    return concat @ weight_o.T + bias_o, weights
