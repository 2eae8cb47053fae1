# %% concat_heads
def concat_heads(x):
    return x.reshape(x.shape[0], x.shape[1], x.shape[2] * x.shape[3])


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    concat = concat_heads(per_head)
    return concat @ weight_o.T + bias_o, weights
