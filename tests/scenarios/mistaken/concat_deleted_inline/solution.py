# %% concat_heads
# I do this inline below


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    B, h, T, hs = per_head.shape
    concat = per_head.transpose(0, 2, 1, 3).reshape(B, T, h * hs)
    return np.matmul(concat, weight_o.T) + bias_o, weights
