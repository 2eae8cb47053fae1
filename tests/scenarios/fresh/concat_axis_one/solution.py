# %% concat_heads
def concat_heads(x):
    heads = []
    for i in range(x.shape[1]):
        heads.append(x[:, i])
    # glue the heads together
    return np.concatenate(heads, axis=1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
