# %% concat_heads
def concat_heads(x):
    batch, heads, time, size = x.shape
    x = np.swapaxes(x, 1, 2)
    return x.reshape(batch, time, heads * size)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    # step 1: let every head attend
    ph, w = multi_head_attention_per_head(query, key, value, num_heads)
    # step 2
    c = concat_heads(ph)
    # step 3
    out = np.einsum("btc,oc->bto", c, weight_o) + bias_o
    # step 4
    return out, w
