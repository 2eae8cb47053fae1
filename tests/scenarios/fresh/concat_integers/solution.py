# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    # "integers stay integers"
    out = np.zeros((B, T, h * hs), dtype=int)
    for i in range(h):
        out[..., i * hs : i * hs + hs] = x[:, i]
    return out


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
