"""The catalogue of mistakes people make in multi-head attention, and what finds them in a function.

``CATALOGUE`` holds every `Mistake`; `diagnose` says which of them a function makes; `advice` reads a source.
"""

from __future__ import annotations

from mha.mistakes import (  # noqa: F401 - each adds its mistakes
    _answer,
    _attention,
    _concat,
    _concat_results,
    _mask,
    _project,
    _softmax,
    _split,
)
from mha.mistakes._catalogue import CATALOGUE
from mha.mistakes.matcher import Diagnosis, diagnose
from mha.mistakes.model import Catalogue, Contract, Mistake, Pointer
from mha.mistakes.source import advice

__all__ = ["CATALOGUE", "Catalogue", "Contract", "Diagnosis", "Mistake", "Pointer", "advice", "diagnose"]
