"""Runs a submission's cells and the hidden tests against each other; knows nothing of files or databases."""
