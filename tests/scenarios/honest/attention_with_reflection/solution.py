# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, T, h * hs)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    print("output", output.shape, "weights", weights.shape)
    return output, weights


# %% reflection
# Position 1 gets head 0's numbers for positions 2 and 3, because reshape only cuts the memory into rows.
#
# With a causal mask those two were allowed to look at words that position 1 must not see.
