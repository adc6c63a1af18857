"""Run every suite of `make test`, one after the other, whichever of them fails; at the end say how
many minutes each took, and which failed.

Standard library only. A whole run shall not take over an hour on two cores: where it does, the
table says so.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

BOUND_MIN = 60


@dataclass(frozen=True)
class Ran:
    """One suite that was run."""

    suite: str
    seconds: float
    well: bool


def main(suites: Sequence[str], make: Callable[[str], bool] | None = None) -> int:
    """Run them and print the table. Gives 1 when one failed."""
    ran = [timed(suite, make or by_make) for suite in suites]
    print("\n".join(table(ran)), flush=True)
    for one in ran:
        if not one.well:
            sentence = f"make test: {one.suite} failed; what failed is further up, or run: make "
            print(f"{sentence}{one.suite}", file=sys.stderr)
    return int(not all(one.well for one in ran))


def by_make(suite: str) -> bool:
    """Variables of the command line reach it by MAKEFLAGS."""
    make = os.environ.get("MAKE", "make")
    return subprocess.call([make, "--no-print-directory", suite]) == 0


def timed(suite: str, make: Callable[[str], bool]) -> Ran:
    began = time.monotonic()
    well = make(suite)
    return Ran(suite, time.monotonic() - began, well)


def table(ran: Sequence[Ran]) -> list[str]:
    """Its lines."""
    total = sum(one.seconds for one in ran)
    rows = [(one.suite, one.seconds, "" if one.well else "failed") for one in ran]
    over = f"over {BOUND_MIN}" if total > BOUND_MIN * 60 else ""
    lines = ["", f"minutes by suite, on {os.cpu_count()} cores:"]
    for name, seconds, word in (*rows, ("all", total, over)):
        lines.append(f"  {name:<12} {seconds / 60:5.1f}  {word}".rstrip())
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
