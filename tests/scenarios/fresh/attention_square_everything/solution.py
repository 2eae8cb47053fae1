# %% concat_heads
def concat_heads(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    concat = concat_heads(per_head)
    C = concat.shape[-1]
    out = np.zeros(concat.shape)
    for o in range(C):
        for c in range(C):
            out[:, :, o] += concat[:, :, c] * weight_o[o, c] + bias_o[o]
    return out, weights
