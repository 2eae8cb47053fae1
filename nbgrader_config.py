"""The one place for settings: nbgrader reads this file, and so does `autograder`."""

c = get_config()  # noqa: F821 - traitlets gives every config file this function

c.CourseDirectory.course_id = "multi-head-attention"

# A released notebook runs from top to bottom: an untouched function returns None instead of raising.
c.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\n..."}

# What the grader must know of this course; its limits are listed, with their defaults, in autograder/settings.py.
c.Autograder.points = {"multi_head_attention": 20}
c.Autograder.copies = {"exercises": "course"}

# `nbgrader autograde` and formgrader's Autograde button grade in the sandbox, as `autograder grade` does. All is done
# in nbgrader's first pass over a submission, so that its second, which executes notebooks, has nothing left to do.
c.Autograde.sanitize_preprocessors = ["autograder.doors.autograde.GradeInSandbox"]
c.Autograde.autograde_preprocessors = []
# `nbgrader generate_feedback` writes the page that `autograder feedback` writes.
c.GenerateFeedback.exporter_class = "autograder.feedback.exporter.FeedbackExporter"
c.GenerateFeedback.preprocessors = []
# Formgrader shows students' texts and outputs on a page of the instructor's own server: without scripts.
c.HTMLExporter.preprocessors = ["autograder.doors.show.Inert"]
