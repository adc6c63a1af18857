"""The lines at the end of a run: what had a real part, and what had not and why."""

import json

import pytest

from tests import real_parts
from tools import verified_against

pytest_plugins = ["pytester"]

SUITE = """
    import pytest

    @pytest.fixture(scope="session")
    def engine(real_part):
        part = real_part("podman", why_not={why_not!r})
        part.version = "4.3.1"

    def test_one(engine): ...
    def test_two(engine): ...
    def test_of_another_kind(): ...

    @pytest.mark.real("MariaDB")
    def test_by_name(): ...
"""


def run(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    *options: str,
    why_not: str = "",
    require: str = "0",
) -> pytest.RunResult:
    monkeypatch.setenv("REQUIRE_REAL", require)
    pytester.makeini("[pytest]\nmarkers = real\n")
    pytester.makepyfile(SUITE.format(why_not=why_not))
    return pytester.runpytest_inprocess(
        *("-p", "tests.real_parts"),
        *("-p", "tests.real_table"),
        *("-p", "no:django"),
        *("-p", "no:cacheprovider"),
        *options,
    )


def test_each_part_has_a_line_with_its_version_and_its_checks(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(pytester, monkeypatch)
    result.assert_outcomes(passed=4)
    assert [line.split() for line in result.outlines[-3:]] == [
        ["part", "version", "came", "up", "in", "passed", "failed", "skipped", "minutes"],
        ["podman", "4.3.1", "0", "s", "2", "0", "0", "0.0"],
        ["MariaDB", "1", "0", "0", "0.0"],
    ]


def test_a_missing_part_skips_its_tests_by_name(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(pytester, monkeypatch, why_not="podman not found (Debian: podman)")
    result.assert_outcomes(passed=2, skipped=2)
    assert result.ret == pytest.ExitCode.OK
    assert (
        "real part: podman (container engine): COULD NOT RUN: podman not found (Debian: podman)"
        in result.outlines
    )


def test_a_missing_part_fails_the_run_when_all_are_required(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(pytester, monkeypatch, why_not="podman not found", require="1")
    result.assert_outcomes(passed=2, errors=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert result.outlines[-1] == "REQUIRE_REAL=1: the run failed, for want of: podman"


def test_a_part_no_test_asked_for_fails_the_run_when_all_are_required(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(pytester, monkeypatch, "--every-real-part", require="1")
    result.assert_outcomes(passed=4)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "real part: Keycloak (identity provider): no check asked for it" in result.outlines


FROM_A_FOLDER = """
    import pytest

    @pytest.fixture
    def portainer(real_part):
        from workspace_sandbox.real import parts_folder
        real_part("Portainer", version=parts_folder.version("Portainer"),
                  why_not=parts_folder.why_not("Portainer"))

    def test_one(portainer): ...
"""


def test_a_part_that_no_registry_has_is_named_where_nobody_has_its_folder(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone elsewhere cannot have it: its want is said, and fails nothing."""
    monkeypatch.delenv("WORKSPACE_PARTS", raising=False)
    monkeypatch.setattr(f"{__name__}.SUITE", FROM_A_FOLDER)
    result = run(pytester, monkeypatch, require="1")
    assert result.ret == pytest.ExitCode.OK
    assert result.outlines[-1] == (
        "real part: Portainer (container manager): COULD NOT RUN: "
        "not there: WORKSPACE_PARTS names no folder that holds it"
    )


@pytest.mark.parametrize(
    ("make", "words"), [(True, "holds no portainer"), (False, "which is no folder")]
)
def test_a_part_that_its_folder_lacks_fails_the_run_when_all_are_required(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, *, make: bool, words: str
) -> None:
    folder = pytester.path / "parts"
    if make:
        folder.mkdir()
    monkeypatch.setenv("WORKSPACE_PARTS", str(folder))
    monkeypatch.setattr(f"{__name__}.SUITE", FROM_A_FOLDER)
    result = run(pytester, monkeypatch, require="1")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert words in "\n".join(result.outlines[-2:])
    assert result.outlines[-1] == "REQUIRE_REAL=1: the run failed, for want of: Portainer"


@pytest.mark.thorough
def test_checks_of_other_processes_are_counted(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeconftest("pytest_plugins = ['tests.real_parts', 'tests.real_table']")
    monkeypatch.setenv("REQUIRE_REAL", "0")
    pytester.makeini("[pytest]\nmarkers = real\n")
    pytester.makepyfile(SUITE.format(why_not=""))
    monkeypatch.setenv("PYTHONPATH", str(real_parts_home()))
    result = pytester.runpytest_subprocess("-p", "no:django", "-n", "2")
    result.assert_outcomes(passed=4)
    rows = [line.split() for line in result.outlines]
    assert ["podman", "4.3.1", "0", "s", "2", "0", "0", "0.0"] in rows


def test_the_result_is_kept_for_the_page(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = pytester.path / "kept" / "result.json"
    run(pytester, monkeypatch, "--real-parts-result", str(result))
    kept = json.loads(result.read_text())
    assert kept["well"]
    assert {name: part["passed"] for name, part in kept["parts"].items()} == {
        "podman": 2,
        "MariaDB": 1,
    }
    page = pytester.path / "page.md"
    assert verified_against.main([result], page) == 0
    assert "| podman | 4.3.1 | container engine | 2 |\n" in page.read_text()
    assert f"{kept['day']}, {kept['minutes']} minutes" in page.read_text()
    assert verified_against.main([result, result], page) == 0
    assert "| podman | 4.3.1 | container engine | 4 |\n" in page.read_text()


@pytest.mark.parametrize("options", [("--every-real-part",), ("-k", "nothing")])
def test_a_run_that_lacked_a_part_is_not_shown(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    result, page = pytester.path / "result.json", pytester.path / "page.md"
    assert verified_against.main([result], page) == 1
    run(pytester, monkeypatch, "--real-parts-result", str(result), *options)
    assert verified_against.main([result], page) == 1
    assert not page.exists()


def real_parts_home() -> str:
    return real_parts.__file__.removesuffix("/tests/real_parts.py")
