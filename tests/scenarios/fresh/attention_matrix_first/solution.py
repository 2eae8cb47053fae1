# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    concat = concat_heads(per_head)          # (B, T, C)
    B, T, C = concat.shape
    # W x + b, like in the lecture; x has to be a column
    output = weight_o @ concat.swapaxes(1, 2)
    output = output.reshape(B, T, C) + bias_o
    return output, weights
