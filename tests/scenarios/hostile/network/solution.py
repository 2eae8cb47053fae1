# %% concat_heads
def concat_heads(x):
    batch, num_heads, time, head_size = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, time, num_heads * head_size)


# %% extra
import http.client
import socket
import urllib.request

sent = []
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, socket.AF_PACKET):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            socket.socket(family, kind)
            sent.append((family, kind))
        except OSError:
            continue
for attempt in (
    lambda: urllib.request.urlopen("http://127.0.0.1:8888", timeout=1),
    lambda: socket.create_connection(("127.0.0.1", 22), timeout=1),
    lambda: socket.getaddrinfo("example.org", 80),
    lambda: http.client.HTTPConnection("127.0.0.1", 80, timeout=1).connect(),
):
    try:
        attempt()
        sent.append(attempt)
    except OSError:
        continue
print("sent:", sent)


# %% multi_head_attention
def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
