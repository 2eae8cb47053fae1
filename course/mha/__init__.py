"""What the lessons on multi-head attention import."""

from mha.show import show

__all__ = ["show"]
