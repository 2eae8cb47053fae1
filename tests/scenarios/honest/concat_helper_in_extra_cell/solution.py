# %% extra
def heads_of(x):
    for i in range(x.shape[1]):
        yield x[:, i]


# %% concat_heads
def concat_heads(x):
    """(B, h, T, hs) -> (B, T, C)"""
    return np.concatenate([*heads_of(x)], axis=2)


# %% extra
print(concat_heads(example_heads))


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    concat = concat_heads(per_head)
    return concat @ weight_o.T + bias_o, weights
