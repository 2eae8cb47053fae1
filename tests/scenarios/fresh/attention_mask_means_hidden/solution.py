# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    if mask is not None:
        mask = ~mask  # in pytorch True is where you are NOT allowed to look
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
