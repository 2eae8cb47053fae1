# %% concat_heads
def concat_heads(x):
    # split_heads does reshape(B, T, h, hs) and then transpose(0, 2, 1, 3).
    # so do the same again to go back
    B, h, T, hs = x.shape
    x = x.reshape(B, T, h, hs)
    x = x.transpose(0, 2, 1, 3)
    x = x.reshape(B, T, h * hs)
    return x


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
