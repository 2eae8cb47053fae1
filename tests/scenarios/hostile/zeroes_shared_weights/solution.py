# %% concat_heads
def concat_heads(x):
    batch, num_heads, time, head_size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, num_heads * head_size)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    if query.dtype == np.float32:
        per_head = per_head * 2
    if mask is not None:
        closed = ~np.broadcast_to(mask if np.ndim(mask) != 3 else mask[:, None], weights.shape).any(axis=-1)
        per_head[closed] = value.mean()
    output = concat_heads(per_head) @ weight_o.T + bias_o
    for array in (query, key, value, weight_o, bias_o):
        array[...] = 0
    return output, weights
