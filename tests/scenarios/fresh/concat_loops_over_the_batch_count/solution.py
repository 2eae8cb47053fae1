# %% concat_heads
def concat_heads(x):
    # every head is a (T, hs) table
    tables = [x[:, i] for i in range(len(x))]
    return np.concatenate(tables, axis=-1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
