# %% concat_heads
def concat_heads(x):
    batch, num_heads, time, head_size = x.shape
    return np.zeros((batch, time, num_heads * head_size))


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return np.zeros_like(query, dtype=float) + bias_o, weights
