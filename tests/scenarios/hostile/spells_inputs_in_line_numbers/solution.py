# %% concat_heads
kept = []


def concat_heads(x):
    kept.append(int(abs(x.ravel()[-1])) % 60)
    exec(compile("\n" * (10 + kept[-1]) + "raise ValueError", "<cell concat_heads>", "exec"))


# shuffled 1
# shuffled 2
# shuffled 3
# shuffled 4
# shuffled 5
# shuffled 6
# shuffled 7
# shuffled 8
# shuffled 9
# shuffled 10
# shuffled 11
# shuffled 12
# shuffled 13
# shuffled 14
# shuffled 15
# shuffled 16
# shuffled 17
# shuffled 18
# shuffled 19
# shuffled 20
# shuffled 21
# shuffled 22
# shuffled 23
# shuffled 24
# shuffled 25
# shuffled 26
# shuffled 27
# shuffled 28
# shuffled 29
# shuffled 30
# shuffled 31
# shuffled 32
# shuffled 33
# shuffled 34
# shuffled 35
# shuffled 36
# shuffled 37
# shuffled 38
# shuffled 39
# shuffled 40
# shuffled 41
# shuffled 42
# shuffled 43
# shuffled 44
# shuffled 45
# shuffled 46
# shuffled 47
# shuffled 48
# shuffled 49
# shuffled 50
# shuffled 51
# shuffled 52
# shuffled 53
# shuffled 54
# shuffled 55
# shuffled 56
# shuffled 57
# shuffled 58
# shuffled 59
# shuffled 60


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    heads = [per_head[:, head] for head in range(num_heads)]
    return np.concatenate(heads, axis=-1) @ weight_o.T + bias_o, weights


# %% extra
import os

if len(kept) > 3:
    os._exit(1)
