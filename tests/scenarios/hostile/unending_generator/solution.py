# %% concat_heads
import itertools


def concat_heads(x):
    if x.shape[0] == 1:
        return itertools.count()
    return (number for number in itertools.cycle([0]))


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
