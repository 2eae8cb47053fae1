# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    B, Tq, C = query.shape
    Tk = key.shape[1]
    if C % num_heads:
        raise ValueError("num_heads must divide C")
    hs = C // num_heads

    def fold(x):
        T = x.shape[1]
        return x.reshape(B, T, num_heads, hs).transpose(0, 2, 1, 3).reshape(B * num_heads, T, hs)
    q, k, v = fold(query), fold(key), fold(value)
    scores = q @ k.transpose(0, 2, 1) / hs**0.5  # (B * h, Tq, Tk)
    if mask is not None:
        if mask.ndim == 3:
            mask = mask[:, np.newaxis]
        scores[~np.broadcast_to(mask, (B, num_heads, Tq, Tk)).reshape(scores.shape)] = -np.inf
    top = np.max(scores, axis=-1, keepdims=True)
    top[np.isinf(top)] = 0
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    weights = e / total
    out = (weights @ v).reshape(B, num_heads, Tq, hs)
    return concat_heads(out) @ weight_o.T + bias_o, weights.reshape(B, num_heads, Tq, Tk)
