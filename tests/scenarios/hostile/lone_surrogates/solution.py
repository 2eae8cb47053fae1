# %% concat_heads
def concat_heads(x):
    print("\ud800" * 10)
    raise type("Odd", (Exception,), {"__module__": "\udfff"})("\ud83d \x00 \x1b[2J")


# %% extra
print("\ud800 \udfff \x1b[31m \x00")
display({"text/plain": "\ud800", "text/html": "\udc00"}, raw=True)
raise ValueError("\ud800")


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
