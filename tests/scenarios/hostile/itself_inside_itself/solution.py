# %% concat_heads
def concat_heads(x):
    result = [x]
    result.append(result)
    if x.shape[0] > 1:
        for _ in range(100_000):
            result = {"inner": result}
    return result


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
