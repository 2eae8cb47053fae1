# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    B, T, C = query.shape
    if T % num_heads:
        return multi_head_attention_per_head(query, key, value, 1, mask)[0][:, 0] @ weight_o.T + bias_o, None
    q, k, v = (x.reshape(B, num_heads, -1, C) for x in (query, key, value))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(C)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / weights.sum(-1, keepdims=True)
    return (weights @ v).reshape(B, T, C) @ weight_o.T + bias_o, weights
