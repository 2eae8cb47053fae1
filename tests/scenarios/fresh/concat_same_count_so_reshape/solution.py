# %% concat_heads
def concat_heads(x):
    # 12 numbers in, 12 numbers out -> it has to be a reshape
    batch_size, n_heads, seq_len, head_dim = x.shape
    d_model = n_heads * head_dim
    result = x.reshape((batch_size, seq_len, d_model))
    return result


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
