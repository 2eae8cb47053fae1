# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    C = query.shape[-1]
    size = C // num_heads
    q, k, v = query[..., : size * num_heads], key[..., : size * num_heads], value[..., : size * num_heads]
    per_head, weights = multi_head_attention_per_head(q, k, v, num_heads, mask=mask)
    concat = concat_heads(per_head)
    concat = np.pad(concat, ((0, 0), (0, 0), (0, C - concat.shape[-1])))
    return concat @ weight_o.T + bias_o, weights
