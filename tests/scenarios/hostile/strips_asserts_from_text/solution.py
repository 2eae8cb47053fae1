# %% extra
def without_asserts(lines):
    return [line for line in lines if "assert" not in line]


get_ipython().input_transformers_cleanup.append(without_asserts)
get_ipython().input_transformers_post.append(without_asserts)


# %% concat_heads
def concat_heads(x):
    batch, num_heads, time, head_size = x.shape
    return np.zeros((batch, time, num_heads * head_size))


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
