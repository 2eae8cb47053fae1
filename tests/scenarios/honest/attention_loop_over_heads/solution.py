# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    hs = query.shape[-1] // num_heads
    if hs * num_heads != query.shape[-1]:
        raise ValueError("num_heads must divide C")
    outputs, all_weights = [], []
    for i in range(num_heads):
        s = slice(i * hs, (i + 1) * hs)
        m = mask[:, min(i, mask.shape[1] - 1), None] if mask is not None and mask.ndim == 4 else mask
        out, w = multi_head_attention_per_head(query[..., s], key[..., s], value[..., s], 1, m)
        outputs.append(out[:, 0])
        all_weights.append(w[:, 0])
    concat = np.concatenate(outputs, axis=-1)
    return concat @ weight_o.T + bias_o, np.stack(all_weights, axis=1)
