"""nbgrader's own database. ``book`` writes it, and alone needs nbgrader, which takes a while to import."""
