# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    hs = per_head.shape[-1]
    heads = [per_head[:, i] @ weight_o[i * hs : (i + 1) * hs, i * hs : (i + 1) * hs].T for i in range(num_heads)]
    return np.concatenate(heads, axis=-1) + bias_o, weights
