# %% concat_heads
def concat_heads(x):
    # combine what the heads found out: (B, h, T, hs) -> (B, T, hs)
    combined = 0
    for i in range(x.shape[1]):
        combined = combined + x[:, i]
    return combined


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
