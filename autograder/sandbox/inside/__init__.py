"""What runs in the sandbox, beside the student's code. Nothing here may be trusted once a cell has run."""
