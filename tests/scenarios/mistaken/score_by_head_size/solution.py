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
    q = query.reshape(B, Tq, num_heads, hs).transpose(0, 2, 1, 3)
    k = key.reshape(B, Tk, num_heads, hs).transpose(0, 2, 1, 3)
    v = value.reshape(B, Tk, num_heads, hs).transpose(0, 2, 1, 3)
    scores = q @ k.transpose(0, 1, 3, 2) / hs
    if mask is not None:
        m = np.asarray(mask)
        if m.ndim == 3:
            m = m[:, None]
        scores = np.where(m, scores, -np.inf)
    top = np.max(scores, axis=-1, keepdims=True)
    top[np.isinf(top)] = 0
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    weights = e / total
    out = (weights @ v).transpose(0, 2, 1, 3).reshape(B, Tq, C)
    return out @ weight_o.T + bias_o, weights
