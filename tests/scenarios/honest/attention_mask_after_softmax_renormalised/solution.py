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
    scores = q @ k.swapaxes(2, 3) / np.sqrt(hs)
    may = np.ones_like(scores, dtype=bool)
    if mask is not None:
        may = np.broadcast_to(mask[:, None] if mask.ndim == 3 else mask, scores.shape)
    top = np.where(may, scores, -np.inf).max(axis=-1, keepdims=True)
    e = np.exp(np.minimum(scores - np.where(np.isfinite(top), top, 0.0), 0.0)) * may
    total = e.sum(axis=-1, keepdims=True)
    weights = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    out = (weights @ v).transpose(0, 2, 1, 3).reshape(B, Tq, C)
    return out @ weight_o.T + bias_o, weights
