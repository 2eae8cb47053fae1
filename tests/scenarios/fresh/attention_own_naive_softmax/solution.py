# %% concat_heads
def concat_heads(x):
    batch, heads, time, size = x.shape
    x = np.swapaxes(x, 1, 2)
    return x.reshape(batch, time, heads * size)


# %% multi_head_attention
def softmax(z):
    return np.exp(z) / np.exp(z).sum(axis=-1, keepdims=True)


def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    q, k, v = split_heads(query, num_heads), split_heads(key, num_heads), split_heads(value, num_heads)
    scores = q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1])
    if mask is not None:
        m = mask[:, None] if mask.ndim == 3 else mask
        scores = np.where(m, scores, -np.inf)
    weights = softmax(scores)
    return concat_heads(weights @ v) @ weight_o.T + bias_o, weights
