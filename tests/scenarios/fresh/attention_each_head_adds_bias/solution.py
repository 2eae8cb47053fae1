# %% concat_heads
def concat_heads(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    B, h, T, hs = per_head.shape
    output = 0
    for i in range(h):
        W_i = weight_o[:, i * hs:(i + 1) * hs]     # the part of the matrix that reads head i
        output = output + (per_head[:, i] @ W_i.T + bias_o)
    return output, weights
