"""nbgrader's own doors, ``nbgrader autograde`` and formgrader's button, opened onto the same engine.

``nbgrader_config.py`` names `autograder.doors.autograde.GradeInSandbox` in place of all that nbgrader itself would do
with a submission.
"""
