# %% concat_heads
def concat_heads(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    # scores of the whole vectors, the heads are only the columns
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[2] // num_heads)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    w = e / e.sum(axis=2, keepdims=True)
    out = (w @ value) @ weight_o.T + bias_o
    return out, np.stack([w] * num_heads, axis=1)
