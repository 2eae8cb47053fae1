# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    _, weights = multi_head_attention_per_head(query, key, value, num_heads)
    if mask is not None:
        if mask.ndim == 3:
            mask = mask[:, np.newaxis]
        weights = weights * mask      # forbidden words get weight 0
    per_head = weights @ split_heads(value, num_heads)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
