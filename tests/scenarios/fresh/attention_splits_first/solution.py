# %% concat_heads
def concat_heads(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q = split_heads(query, num_heads)
    k = split_heads(key, num_heads)
    v = split_heads(value, num_heads)
    per_head, weights = multi_head_attention_per_head(q, k, v, num_heads, mask)
    out = concat_heads(per_head)
    return out @ weight_o.T + bias_o, weights
