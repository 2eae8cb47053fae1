# %% concat_heads
def concat_heads(x):
    batch, heads, time, size = x.shape
    x = np.swapaxes(x, 1, 2)
    return x.reshape(batch, time, heads * size)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    outputs = []
    all_weights = []
    for b in range(len(query)):
        m = None if mask is None else mask[b]
        p, w = multi_head_attention_per_head(query[b:b+1], key[b:b+1], value[b:b+1], num_heads, m)
        outputs.append(concat_heads(p)[0] @ weight_o.T + bias_o)
        all_weights.append(w[0])
    return np.array(outputs), np.array(all_weights)
