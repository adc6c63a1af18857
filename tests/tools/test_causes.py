"""Failures are told of by their causes, the first in time first, and not by their number."""

import json

import pytest

from tests.causes import Cause

pytest_plugins = ["pytester"]

SUITE = """
    import pytest

    @pytest.fixture(scope="session")
    def server():
        raise RuntimeError("the server did not start; port 40811")

    @pytest.mark.parametrize("number", range(3))
    def test_late(number):
        assert number == 7

    def test_another():
        assert 1 == 7

    @pytest.mark.parametrize("number", range(4))
    def test_of_the_server(server, number): ...

    @pytest.mark.parametrize("port", [40811, 52133])
    def test_refused(port):
        raise ConnectionError(f"nobody listens on {port}")
"""


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    pytester.makeini("[pytest]\n")
    without = ("-p", "tests.causes", "-p", "no:django", "-p", "no:cacheprovider")
    return pytester.runpytest_inprocess(*without, *options)


def lines(result: pytest.RunResult) -> list[str]:
    """Those of the causes, without when."""
    start = next(number for number, line in enumerate(result.outlines) if "causes," in line)
    found = [line for line in result.outlines[start + 1 :] if " failed, from minute " in line]
    return [line.replace(f"{line.split(': ')[0]}: ", line.split(",")[0] + ": ") for line in found]


def test_the_first_in_time_is_first_and_each_is_said_once(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=SUITE)
    assert lines(run(pytester)) == [
        "3 failed: assert 0 == 7; first: test_it.py::test_late[0]",
        "1 failed: assert 1 == 7; first: test_it.py::test_another",
        "4 failed: RuntimeError: the server did not start; port 40811; "
        "first: test_it.py::test_of_the_server[0]",
        "2 failed: ConnectionError: nobody listens on 40811; "
        "first: test_it.py::test_refused[40811]",
    ]


def test_two_waits_are_two_causes_and_a_note_is_told(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="""
        import pytest
        from workspace_sandbox import patience

        @pytest.fixture(autouse=True)
        def nobody_waits(monkeypatch):
            monkeypatch.setattr(patience, "PATIENCE_S", 0)

        @pytest.mark.parametrize("name", ["ada", "grace"])
        def test_notebook(name):
            patience.eventually(f"the notebook of {name} answers", lambda: False)

        def test_check():
            try:
                patience.eventually("a check ended", lambda: False)
            except AssertionError as late:
                late.add_note("503 at /hub")
                raise
        """
    )
    found = lines(run(pytester))
    assert [line.split(":")[0] for line in found] == ["2 failed", "1 failed"]
    assert "503 at /hub" in found[1]


def test_they_stand_after_the_list_of_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=SUITE)
    shown = run(pytester, "-ra").outlines
    order = [
        next(number for number, line in enumerate(shown) if text in line)
        for text in ("= FAILURES", "short test summary", "= causes,", "6 failed, 4 errors")
    ]
    assert order == sorted(order)


def test_each_is_told_before_the_next_test_ends(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=SUITE)
    shown = run(pytester, "-v").outlines
    told = shown.index("test_it.py::test_another: assert 1 == 7")
    assert told < next(number for number, line in enumerate(shown) if "test_refused" in line)


@pytest.mark.thorough
def test_those_of_other_processes_are_one(pytester: pytest.Pytester) -> None:
    """The server is asked for in each of them."""
    pytester.makepyfile(test_it=SUITE)
    pytester.makeini("[pytest]\n")
    options = ("-p", "tests.causes", "-p", "no:django", "-n", "2")
    found = lines(pytester.runpytest_inprocess(*options))
    assert sorted(line.split()[0] for line in found) == ["1", "2", "3", "4"]


def test_what_happened_is_said_even_if_nothing_failed_and_takes_the_blame(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        test_it="""
        from tests.causes import note

        def test_during():
            raise ConnectionError("cut off")

        def test_noticed(request):
            note(request.node, "the server died", "test_it.py::test_during")

        def test_after(request):
            note(request.node, "another one died", "test_it.py::test_noticed")
        """
    )
    assert lines(run(pytester)) == [
        "1 failed: the server died; first: test_it.py::test_during",
        "0 failed: another one died",
    ]


def test_a_file_that_cannot_be_read_is_a_cause(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="import nothing_of_that_name")
    assert "nothing_of_that_name" in "\n".join(run(pytester).outlines)
    assert len(lines(run(pytester))) == 1


def test_they_are_kept_for_the_end_of_all_suites(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=SUITE)
    file = pytester.path / "kept" / "causes.json"
    run(pytester, "--causes-to", str(file))
    assert [len(cause["failed"]) for cause in json.loads(file.read_text())] == [3, 1, 4, 2]


def test_nothing_is_said_where_nothing_failed(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_well(): ...")
    assert "causes" not in "\n".join(run(pytester).outlines)


def test_a_test_is_named_as_it_is_run() -> None:
    assert Cause("why", 0, ["a.py::test_one[a@b.c]@Place"]).line(0).endswith("test_one[a@b.c]")
    assert Cause("why", 0, ["a.py::test_one[a@b.c]"]).line(0).endswith("test_one[a@b.c]")
    assert Cause("why", 0, ["a@b.py::test_one"]).line(0).endswith("a@b.py::test_one")
