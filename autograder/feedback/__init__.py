"""One page for each student: scores, what went wrong and what to read, and nothing that is to stay hidden."""
