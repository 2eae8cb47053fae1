"""Where in the course each idea is taught: one place to change when a heading changes."""

from __future__ import annotations

from mha.mistakes.model import Pointer

__all__: list[str] = []

SPLIT = Pointer("01_head_split", "Two steps: reshape, then transpose")
SPLIT_SLIP = Pointer("01_head_split", "Slip: reshape straight to four axes")
MEMORY = Pointer("01_head_split", "Nothing moves")
ONE_HEAD = Pointer("02_parallel_attention", "One head by hand")
SCORES = Pointer("02_parallel_attention", "All heads at once")
SCALE = Pointer("02_parallel_attention", "Slip: the wrong divisor")
SOFTMAX = Pointer("02_parallel_attention", "Slip: the wrong axis")
MASK = Pointer("02_parallel_attention", "The mask")
CONCAT = Pointer("03_concat", "Transpose, then reshape")
CONCAT_SLIP = Pointer("03_concat", "Slip: reshape without transpose")
ROUND_TRIP = Pointer("03_concat", "The round-trip trap")
PROJECTION = Pointer("04_output_projection", "One sum over all heads")
CONVENTIONS = Pointer("04_output_projection", "Two conventions")
ASSEMBLY = Pointer("04_output_projection", "Putting it together")
