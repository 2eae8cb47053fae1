# %% concat_heads
import sys
import warnings

warnings.warn('this will change')


def concat_heads(x):
    warnings.warn(f'{x.shape}', DeprecationWarning, stacklevel=2)
    print(x.shape, file=sys.stderr)
    batch, heads, positions, size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, positions, heads * size)


# %% extra
np.array([1.0]) / 0


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
