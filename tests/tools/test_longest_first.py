"""What shares fixtures runs in one process; what is allowed the longest time begins first."""

import re
from pathlib import Path

import pytest

from tests.longest_first import GroupsAndFiles

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("nodeid", "together"),
    [
        ("tests/a.py::test_one", "tests/a.py"),
        ("tests/a.py::test_one[a@example.org]", "tests/a.py"),
        ("tests/a@b.py::test_one", "tests/a@b.py"),
        ("tests/a.py::test_one@Place", "Place"),
        ("tests/a.py::test_one[a@example.org]@Place", "Place"),
    ],
)
def test_a_group_is_together_and_else_a_file(nodeid: str, together: str) -> None:
    scheduler = object.__new__(GroupsAndFiles)
    assert scheduler._split_scope(nodeid) == together


@pytest.mark.thorough
def test_files_and_groups_stay_in_one_process(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers =\n  timeout\n  xdist_group\n")
    file = "import os, pytest\ndef say(name): open(f'{name}.{os.getpid()}', 'a').write('x')\n"
    grouped = "".join(
        f"@pytest.mark.xdist_group('group{number % 2}')\n"
        f"def test_{number}(): say('group{number % 2}')\n"
        for number in range(8)
    )
    alone = "".join(f"def test_{number}(): say('alone')\n" for number in range(8))
    pytester.makepyfile(test_grouped=file + grouped, test_alone=file + alone)
    options = ("-p", "tests.longest_first", "-p", "no:django", "-n", "2", "--dist", "loadgroup")
    pytester.runpytest_inprocess(*options).assert_outcomes(passed=16)
    seen = [re.sub(r"\.\d+$", "", one.name) for one in Path(pytester.path).glob("*.[0-9]*")]
    assert sorted(seen) == ["alone", "group0", "group1"], "each in one process"


def test_the_longest_is_first(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers =\n  timeout\n")
    pytester.makepyfile(
        test_a="def test_one(): ...",
        test_b="def test_one(): ...\ndef test_two(): ...",
        test_c="import pytest\n@pytest.mark.timeout(900)\ndef test_one(): ...",
    )
    result = pytester.runpytest_inprocess("-p", "tests.longest_first", "-p", "no:django", "-v")
    shown = [line.split(" ")[0] for line in result.outlines if " PASSED" in line]
    assert [name.partition("::")[0] for name in shown] == [
        *("test_c.py", "test_b.py", "test_b.py", "test_a.py")
    ]
