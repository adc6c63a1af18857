"""Tests that need one real part run in one process; the longest begin first."""

import re
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]


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
    pytester.makeconftest('pytest_plugins = ["tests.longest_first"]')
    pytester.makepyfile(
        test_grouped=file + grouped,
        written_elsewhere=file + "def test_imported(): say('alone')\n",
        test_alone="from written_elsewhere import *\n" + alone,
    )
    options = ("-p", "no:django", "-n", "2", "--dist", "loadgroup")
    pytester.runpytest_inprocess(*options).assert_outcomes(passed=17)
    seen = [re.sub(r"\.\d+$", "", one.name) for one in Path(pytester.path).glob("*.[0-9]*")]
    assert sorted(seen) == ["alone", "group0", "group1"], "each in one process"


@pytest.mark.parametrize("dist", ["loadgroup", "no"])
def test_the_longest_is_first_and_what_needs_one_part_is_together(
    pytester: pytest.Pytester, dist: str
) -> None:
    pytester.makeconftest(
        "import pytest\n@pytest.fixture\ndef real_keycloak(): ...\n"
        "@pytest.fixture\ndef real_mariadb(): ...\n"
    )
    pytester.makeini("[pytest]\nmarkers =\n  xdist_group\n")
    pytester.makepyfile(
        test_a="def test_one(): ...",
        test_b="def test_one(): ...\ndef test_two(): ...\ndef test_three(): ...",
        test_c="def test_one(real_keycloak): ...",
        test_d="def test_one(real_mariadb): ...",
        test_e="def test_one(real_mariadb): ...",
        test_f="def test_one(real_mariadb): ...\ndef test_two(real_keycloak): ...",
    )
    options = ("-p", "tests.longest_first", "-p", "no:django", "-v", "--dist", dist)
    result = pytester.runpytest_inprocess(*options)
    shown = [line.split(" ")[0] for line in result.outlines if " PASSED" in line]
    names = [name.partition(".py")[0] for name in shown]
    assert names == ["test_c", *["test_f"] * 2, *["test_b"] * 3, "test_d", "test_e", "test_a"]
