# %% concat_heads
def concat_heads(x):
    heads = x[0]          # (h, T, hs)
    row = []
    for t in range(heads.shape[1]):
        row.append(heads[:, t].flatten())   # all heads of word t
    return np.array([row])                  # put batch back


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
