# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    hs = per_head.shape[-1]
    output = 0
    for i in range(num_heads):
        output = output + per_head[:, i] @ weight_o[:, i * hs : (i + 1) * hs].T + bias_o
    return output, weights
