# %% extra
%matplotlib inline
%load_ext autoreload
%autoreload 2


# %% concat_heads
def concat_heads(x):
    batch, heads, positions, size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, positions, heads * size)


# %% extra
%timeit -n 1 -r 1 concat_heads(example_heads)
!ls
files = !ls
%pip list
concat_heads?


# %% extra
%%bash
echo hello


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
