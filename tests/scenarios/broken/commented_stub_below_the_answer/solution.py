# %% extra
def concat_heads(x):
    batch, heads, positions, size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, positions, heads * size)


# %% concat_heads
def concat_heads(x):
    """Put the heads of each position side by side again: the exact inverse of ``split_heads``.

    Args:
        x: array of shape (B, h, T, hs), any number of each. It must be the same after the call as before.

    Returns:
        Array of shape (B, T, h * hs). In each position the numbers of head 0 come first, then those of head 1, and
        so on. They are moved and nothing else: integers stay integers, and no digit is lost.
    """
    # see the cell above
    ...


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
