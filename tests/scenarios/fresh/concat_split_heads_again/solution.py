# %% concat_heads
def concat_heads(x):
    # splitting swaps two axes, swapping twice = nothing happened, so splitting again must undo it
    B, h, T, hs = x.shape
    flat = x.reshape(B, T, h * hs)
    again = split_heads(flat, h)
    return again.swapaxes(1, 2).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
