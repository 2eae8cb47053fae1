"""The catalogue of this assignment: its four contracts. The mistakes register themselves here on import."""

from __future__ import annotations

from mha.mistakes import _pipeline as right
from mha.mistakes import _probes_attention, _probes_heads
from mha.mistakes.model import Catalogue, Contract

ATTENTION_ARGUMENTS = ("query", "key", "value", "num_heads")

CATALOGUE = Catalogue(
    (
        Contract(
            "concat_heads",
            right.CONCAT_STEPS,
            right._concat,
            _probes_heads.concat_probes,
            results=("result",),
            arguments=("x",),
            facts=_probes_heads.CONCAT_FACTS,
        ),
        Contract(
            "split_heads",
            frozenset({"split"}),
            right._split,
            _probes_heads.split_probes,
            results=("result",),
            arguments=("x", "num_heads"),
            facts=_probes_heads.CONCAT_FACTS,
        ),
        Contract(
            "multi_head_attention_per_head",
            right.ATTENTION_STEPS,
            right._attention,
            _probes_attention.per_head_probes,
            results=("per_head", "weights"),
            arguments=(*ATTENTION_ARGUMENTS, "mask"),
            facts=_probes_attention.ATTENTION_FACTS,
            load_confirming=_probes_attention.per_head_confirming,
        ),
        Contract(
            "multi_head_attention",
            right.ATTENTION_STEPS | right.PROJECTION_STEPS,
            right._multi_head_attention,
            _probes_attention.multi_head_probes,
            results=("output", "weights"),
            arguments=(*ATTENTION_ARGUMENTS, "weight_o", "bias_o", "mask"),
            facts=_probes_attention.ATTENTION_FACTS,
            load_confirming=_probes_attention.multi_head_confirming,
        ),
    )
)
