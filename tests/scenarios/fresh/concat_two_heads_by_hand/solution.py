# %% concat_heads
def concat_heads(x):
    head_0 = x[:, 0, :, :]
    head_1 = x[:, 1, :, :]
    return np.concatenate((head_0, head_1), axis=2)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
