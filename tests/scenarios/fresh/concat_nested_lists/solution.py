# %% concat_heads
def concat_heads(x):
    B, h, T, hs = x.shape
    result = []
    for b in range(B):
        sentence = []
        for t in range(T):
            word = []
            for i in range(h):
                word += x[b, i, t].tolist()
            sentence.append(word)
        result.append(sentence)
    return result


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    output = concat_heads(per_head) @ weight_o.T + bias_o
    return output, weights
