# %% concat_heads
def concat_heads(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    hs = query.shape[-1] // num_heads
    Q, K, V = (split_heads(a, num_heads) for a in (query, key, value))
    scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(hs)
    if mask is not None:
        mask = np.asarray(mask)
        if mask.ndim == 3:
            mask = mask[:, None, :, :]
        scores = np.where(mask, scores, -1e9)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return concat_heads(weights @ V) @ weight_o.T + bias_o, weights
