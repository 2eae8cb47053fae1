"""The one place for settings: nbgrader reads this file, and so does `autograder`."""

c = get_config()  # noqa: F821 - traitlets gives every config file this function

c.CourseDirectory.course_id = "multi-head-attention"

# A released notebook runs from top to bottom: an untouched function returns None instead of raising.
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\n..."}

# What the grader must know of this course; its limits are listed, with their defaults, in autograder/settings.py.
c.Autograder.points = {"multi_head_attention": 20}
c.Autograder.copies = {"exercises": "course"}
