# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    B, h, T, hs = per_head.shape
    blocks = weight_o.reshape(h * hs, h, hs)  # (out, h, hs)
    return np.tensordot(per_head, blocks, axes=([1, 3], [1, 2])) + bias_o, weights
