"""Where in the course each idea is taught: one place to change when a heading changes."""

from __future__ import annotations

from mha.mistakes.model import Pointer

SPLIT = Pointer("01_head_split", "Step 2: put all tokens inside each head")
SPLIT_SLIP = Pointer("01_head_split", "The slip: reshape straight")
MEMORY = Pointer("01_head_split", "Nothing moved")
ONE_HEAD = Pointer("02_parallel_attention", "Two tokens, by hand")
SCORES = Pointer("02_parallel_attention", "All heads with one @")
SCALE = Pointer("02_parallel_attention", "Two slips, and what the sums can see")
SOFTMAX = Pointer("02_parallel_attention", "Two slips, and what the sums can see")
MASK = Pointer("02_parallel_attention", "A mask: who may look at whom")
CONCAT = Pointer("03_concat", "Block i is head i")
CONCAT_SLIP = Pointer("03_concat", "The slip side by side")
ROUND_TRIP = Pointer("03_concat", "The round trip proves nothing")
PROJECTION = Pointer("04_output_projection", "A sum over heads")
BIAS = Pointer("04_output_projection", "What the bias does")
CONVENTIONS = Pointer("04_output_projection", "Two ways to store the weight")
ASSEMBLY = Pointer("04_output_projection", "The whole layer, in words")
