# %% concat_heads
def concat_heads(x):
    return x.reshape(x.shape[0], -1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    concat = np.concatenate([per_head[:, i] for i in range(num_heads)], axis=-1)
    return np.matmul(concat, weight_o.T) + bias_o, weights
