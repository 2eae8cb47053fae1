"""Runs code it does not trust; knows nothing of notebooks.

This package exists on both sides of the wall. ``inside`` runs in the sandbox, beside the student's code; the rest
runs in the trusted process. Only ``wire``, ``limits`` and ``clear`` are used by both; nothing inside imports the rest.
"""
