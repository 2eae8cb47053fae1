# %% concat_heads
def concat_heads(x):
    return np.concatenate([x[:, i] for i in range(x.shape[1])], axis=-1)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    try:
        per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    except ValueError as e:
        print("ValueError:", e)
        return None
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
