"""An independent reference: multi-head attention with loops over plain floats, and the file of right results.

``python tests/mistakes/reference.py`` writes ``course/mha/mistakes/expected.json``; `test_probes` compares it.
"""

from __future__ import annotations

import json
import math
from importlib import resources
from pathlib import Path

import numpy as np
from mha.mistakes._probes_attention import CASES


def reference(query, key, value, num_heads, weight_o, bias_o, mask=None):
    """Return output, weights and per-head results, every number computed by itself with `math.fsum`."""
    batch, queries, width = query.shape
    keys, size = key.shape[1], width // num_heads
    shape = (batch, num_heads, queries, keys)
    if mask is None:
        allowed = np.ones(shape, bool)
    else:
        allowed = np.broadcast_to(mask[:, None] if mask.ndim == 3 else mask, shape)
    query, key, value, weight_o, bias_o = (array.tolist() for array in (query, key, value, weight_o, bias_o))
    weights = np.zeros(shape)
    per_head = np.zeros((batch, num_heads, queries, size))
    output = np.zeros((batch, queries, width))
    for b in range(batch):
        for t in range(queries):
            for h in range(num_heads):
                own = range(h * size, (h + 1) * size)
                open_keys = [s for s in range(keys) if allowed[b, h, t, s]]
                scores = {s: math.fsum(query[b][t][c] * key[b][s][c] for c in own) / math.sqrt(size) for s in open_keys}
                top = max(scores.values(), default=0.0)
                shares = {s: math.exp(score - top) for s, score in scores.items()}
                total = math.fsum(shares.values())
                for s in open_keys:
                    weights[b, h, t, s] = shares[s] / total
                for j, c in enumerate(own):
                    per_head[b, h, t, j] = math.fsum(weights[b, h, t, s] * value[b][s][c] for s in open_keys)
            joined = [per_head[b, c // size, t, c % size] for c in range(width)]
            for o in range(width):
                output[b, t, o] = math.fsum(weight_o[o][c] * joined[c] for c in range(width)) + bias_o[o]
    return {"output": output, "weights": weights, "per_head": per_head}


def results() -> dict[str, dict[str, np.ndarray]]:
    return {case.name: reference(*case.arguments()) for case in CASES}


def main() -> None:
    lines = []
    for case, found in results().items():
        parts = [
            f"  {json.dumps(name)}: {json.dumps([array.shape, array.ravel().tolist()])}"
            for name, array in found.items()
        ]
        lines.append(f"{json.dumps(case, ensure_ascii=False)}: {{\n" + ",\n".join(parts) + "\n}")
    target = Path(str(resources.files("mha.mistakes").joinpath("expected.json")))
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
