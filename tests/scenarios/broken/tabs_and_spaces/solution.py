# %% concat_heads
def concat_heads(x):
    moved = x.swapaxes(1, 2)
	return moved


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
