# %% concat_heads
def concat_heads(x):
    batch, num_heads, time, head_size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, num_heads * head_size)


# %% extra
kept = get_ipython().display_pub.keeper.outputs
kept.items.append({"output_type": "display_data", "data": {"a" * 20_000_000: ""}})
for number in range(500):
    kept.items.append({"output_type": "display_data", "data": {f"{number}/{kind}" * 50: "" for kind in range(100)}})


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
