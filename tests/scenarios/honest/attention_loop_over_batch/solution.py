# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    outs, ws = [], []
    for b in range(len(query)):
        m = mask
        if mask is not None and mask.ndim >= 3:
            m = mask[b : b + 1] if len(mask) > 1 else mask
        per_head, w = multi_head_attention_per_head(query[b : b + 1], key[b : b + 1], value[b : b + 1], num_heads, m)
        outs.append(concat_heads(per_head)[0] @ weight_o.T + bias_o)
        ws.append(w[0])
    return np.stack(outs), np.stack(ws)
