# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    # position first, then everything that belongs to it
    by_position = x.transpose(2, 0, 1, 3)
    return by_position.reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
