"""Importing this ties the process to the one that started it: it dies when that is gone.

The fork server is told to import it. By itself it would outlive a grader that was killed for as long as its workers
live, and they wait for work for ever.
"""

from autograder.forked import die_with_parent

die_with_parent()
