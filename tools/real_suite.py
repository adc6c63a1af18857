"""Run the tests against real parts; what failed is tried once more, in a run of its own.

    python -m tools.real_suite RESULT [arguments of pytest]

A dozen products of other makers start on two cores, and one that took its time twice in a thousand
checks must not hide what the others showed. The second run starts everything afresh: nothing of
what the first one left in a product can make it fail, or pass. Nothing is silent: its last lines
name each test that failed first, and why (tests/real_parts.py). More failures than one product has
tests are no accident, and are not tried again.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

MOST = 300

Run = Callable[[Sequence[str]], int]


def main(result: Path, arguments: Sequence[str], run: Run | None = None) -> int:
    """Run them. Gives pytest's exit code: the second run's where there was one."""
    run = run or by_pytest
    result.unlink(missing_ok=True)
    kept = ["--real-parts-result", str(result)]
    code = run(["--every-real-part", *kept, *arguments])
    if code != pytest.ExitCode.TESTS_FAILED or not result.exists():
        return code
    failed = json.loads(result.read_text())["failed"]
    if not failed or len(failed) > MOST:
        return code
    print(f"\n{len(failed)} failed; what failed is tried once more, started afresh:", flush=True)
    return run([*kept, "--real-parts-before", str(result), *options_of(arguments), *failed])


def options_of(arguments: Sequence[str]) -> list[str]:
    """Without the files that the first run was told: the second one names its tests."""
    return [one for one in arguments if not one.startswith("tests/")]


def by_pytest(arguments: Sequence[str]) -> int:
    """A process of its own."""
    return subprocess.call([sys.executable, "-m", "pytest", *arguments])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
