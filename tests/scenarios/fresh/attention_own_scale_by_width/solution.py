# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    B, Tq, C = query.shape
    q, k, v = [split_heads(t, num_heads) for t in (query, key, value)]
    att = np.matmul(q, np.transpose(k, (0, 1, 3, 2))) / np.sqrt(C)
    if mask is not None:
        mask = np.array(mask)
        if len(mask.shape) == 3:
            mask = np.expand_dims(mask, 1)
        att[~np.broadcast_to(mask, att.shape)] = -np.inf
    biggest = att.max(-1, keepdims=True)
    biggest[biggest == -np.inf] = 0
    att = np.exp(att - biggest)
    total = att.sum(-1, keepdims=True)
    att = np.divide(att, total, out=np.zeros_like(att), where=total > 0)
    return np.matmul(concat_heads(np.matmul(att, v)), weight_o.T) + bias_o, att
