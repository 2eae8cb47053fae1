"""Does every hidden test earn its place? Puts an assignment's tests to the test.

Known mistakes, automatic mutants of the solution and right but unusual answers go through the same engine as a
submission. What the tests make of them is the report; whether that is good enough is the exit status.
"""
