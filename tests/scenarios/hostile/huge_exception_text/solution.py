# %% concat_heads
class Huge(Exception):
    def __str__(self):
        return "x" * 300_000_000


def concat_heads(x):
    raise Huge


# %% extra
raise Huge


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
