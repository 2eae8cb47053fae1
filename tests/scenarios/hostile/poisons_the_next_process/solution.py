# %% concat_heads
def concat_heads(x):
    batch, num_heads, time, head_size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, num_heads * head_size)


# %% extra
import ctypes
import linecache
import sys

import numpy as np

np.ndarray.__doc__
ctypes.c_longlong.from_address(id(1000) + 24).value
np.set_printoptions(formatter={"all": lambda value: "poisoned"})
np.seterr(all="raise")
np.random.seed(1)
linecache.cache["<cell concat_heads>"] = (1, None, ["poisoned"], "<cell concat_heads>")
sys.path.insert(0, "/poisoned")
sys.setrecursionlimit(60)
for name in list(sys.modules):
    if name.startswith(("sandbox", "mha")):
        for attribute in list(vars(sys.modules[name])):
            if not attribute.startswith("__"):
                setattr(sys.modules[name], attribute, None)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
