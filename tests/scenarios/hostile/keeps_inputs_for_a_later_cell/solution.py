# %% concat_heads
kept = []


def concat_heads(x):
    kept.append(x.ravel().tolist())
    with open("kept.txt", "a") as file:
        print(kept[-1], file=file)
    print("called with", kept[-1])
    batch, num_heads, time, head_size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, num_heads * head_size)


# %% extra
import os

print("kept:", len(kept), "in the file:", os.path.exists("kept.txt"))
print(kept)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights


# %% extra
print("kept:", len(kept))
print(kept)
