"""Runs code it does not trust; knows nothing of notebooks."""
