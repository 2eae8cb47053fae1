"""How long ``check`` takes in a student's kernel, for every mistake of the catalogue.

Run it with ``python benchmarks/check_speed.py``. Each mistake is checked in a fresh start of the memory that `check`
keeps, so every time is that of a first check; the import is measured apart.
"""

from __future__ import annotations

import time

LIMIT = 0.3


def main() -> None:
    """Print the time for the import, the median, and the slowest mistakes."""
    start = time.perf_counter()
    from mha.check.functions import report_on

    imported = time.perf_counter() - start
    from mha.mistakes import CATALOGUE
    from mha.mistakes._known import seen_of

    times = []
    for mistake in CATALOGUE:
        for contract in {mistake.contract, "multi_head_attention"}:
            function = mistake.for_contract(contract)
            if function is None:
                continue
            seen_of.cache_clear()
            start = time.perf_counter()
            report_on(function, contract).html()
            times.append((time.perf_counter() - start, mistake.id, contract))
    times.sort(reverse=True)
    print(f"import: {1000 * imported:.0f} ms")
    print(f"{len(times)} checks, median {1000 * times[len(times) // 2][0]:.0f} ms; the slowest:")
    for seconds, name, contract in times[:5]:
        print(f"  {1000 * seconds:4.0f} ms  {name} as {contract}")
    print(f"{sum(seconds < LIMIT for seconds, *_ in times)} of {len(times)} within {1000 * LIMIT:.0f} ms")


if __name__ == "__main__":
    main()
