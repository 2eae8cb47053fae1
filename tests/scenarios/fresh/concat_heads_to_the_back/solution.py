# %% concat_heads
def concat_heads(x):
    # the heads are an extra axis we want to get rid of, so push it to the end where reshape can eat it
    B, h, T, hs = x.shape
    x = np.moveaxis(x, 1, -1)
    return x.reshape(B, T, -1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
