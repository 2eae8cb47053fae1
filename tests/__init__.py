"""The project's own tests; a package so that they can share what lies in `tests/support`."""
