"""What the fork server imports, and nobody else: it ties the server to the grader, and warms it up for its workers.

By itself the server would outlive a grader that was killed for as long as its workers live, and they wait for work for
ever.
"""

from autograder.forked import die_with_parent
from autograder.worker import warm_modules

die_with_parent()
warm_modules()
