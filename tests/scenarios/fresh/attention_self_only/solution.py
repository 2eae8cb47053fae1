# %% concat_heads
def concat_heads(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    x = query
    # self attention: the same x three times
    per_head, weights = multi_head_attention_per_head(x, x, x, num_heads, mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
