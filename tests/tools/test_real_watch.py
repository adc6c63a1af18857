"""A part that dies in the middle of a run is started again once, where it was; what it died under
stays failed, and a second death ends its checks at once, with one cause.
"""

import pytest

pytest_plugins = ["pytester"]

PART = """
    import os, signal, socket, sys, tempfile
    from pathlib import Path
    import pytest
    from tests.real_watch import watched
    from workspace_sandbox import children
    from workspace_sandbox.real.one_process import HOST, OneProcess, first_bytes

    GREETS = '''
    import pathlib, socket, sys
    if pathlib.Path("broken").exists():
        sys.exit("it is broken")
    with socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=50) as server:
        while True:
            client, _ = server.accept()
            client.sendall(b"hello")
            client.close()
    '''

    class Greeter(OneProcess):
        name = product = "greeter"
        failed = RuntimeError
        start_limit_s = 3

        def start(self):
            self._bring_up(Path(tempfile.mkdtemp(prefix="workspace-greeter-")))

        def _launch(self, home, port):
            return children.start([sys.executable, "-c", GREETS, str(port)], name=self.name,
                cwd=home, log=home / "greeter.log", environment={}, temporary=home)

        def _answers(self, port):
            return first_bytes(port, b"x", 5) == b"hello"

        def die(self, by=signal.SIGKILL):
            os.kill(self._process.pid, by)
            if by == signal.SIGKILL:
                self._process.wait()

        def greet(self):
            with socket.create_connection((HOST, self._at), timeout=1) as client:
                assert client.recv(5) == b"hello"

    @pytest.fixture(scope="session")
    def greeter(real_part):
        part = real_part("greeter", version="1")
        server = Greeter()
        server.start()
        with watched(part, server):
            yield server
        server.stop()
"""


def run(pytester: pytest.Pytester, tests: str) -> pytest.RunResult:
    pytester.makeini("[pytest]\n")
    pytester.makeconftest(PART)
    pytester.makepyfile(test_it=tests)
    ours = ("causes", "real_parts", "real_table", "real_watch")
    plugins = [word for name in ours for word in ("-p", f"tests.{name}")]
    return pytester.runpytest_inprocess(*plugins, "-p", "no:django", "-p", "no:cacheprovider")


def causes(result: pytest.RunResult) -> list[str]:
    return [
        line.partition(" failed, ")[0] + ": " + line.partition(": ")[2]
        for line in result.outlines
        if " failed, from minute " in line
    ]


def test_it_is_started_again_where_it_was_and_that_is_said(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        def test_before(greeter):
            greeter.greet()

        def test_under_which_it_dies(greeter):
            greeter.die()
            greeter.greet()

        def test_after(greeter):
            greeter.greet()
            assert greeter.begun_again == 1

        def test_long_after(greeter):
            greeter.greet()
        """,
    )
    result.assert_outcomes(passed=3, failed=1)
    assert causes(result) == [
        "1: greeter died during or after test_it.py::test_under_which_it_dies: it was started "
        "again, once; first: test_it.py::test_under_which_it_dies"
    ]
    assert ["greeter", "1", *result.outlines[-1].split()[2:4], "3", "1", "0", "0.0"] == (
        result.outlines[-1].split()
    )


def test_a_second_death_ends_its_checks_at_once_with_one_cause(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import pytest

        @pytest.mark.parametrize("number", [1, 2])
        def test_dies(greeter, number):
            greeter.die()

        @pytest.mark.parametrize("number", range(20))
        def test_left(greeter, number): ...

        def test_of_nothing(): ...
        """,
    )
    result.assert_outcomes(passed=3, errors=20)
    assert causes(result) == [
        "0: greeter died during or after test_it.py::test_dies[1]: it was started again, once",
        "20: greeter died during or after test_it.py::test_dies[2]: the second time, and it is "
        "not started again; first: test_it.py::test_left[0]",
    ]


def test_one_that_hangs_is_noticed_after_a_check_that_failed(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import signal

        def test_hangs(greeter):
            greeter.die(by=signal.SIGSTOP)
            greeter.greet()

        def test_after(greeter):
            greeter.greet()

        def test_fails_for_itself(greeter):
            assert greeter.begun_again == 2

        def test_it_answers_and_is_left_alone(greeter):
            assert greeter.begun_again == 1
        """,
    )
    result.assert_outcomes(passed=2, failed=2)
    assert causes(result)[0] == (
        "1: greeter does not answer any more, since test_it.py::test_hangs: it was started again, "
        "once; first: test_it.py::test_hangs"
    )


def test_one_that_does_not_start_again_is_one_cause(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import pytest

        def test_breaks(greeter):
            (greeter._home / "broken").touch()
            greeter.die()

        @pytest.mark.parametrize("number", range(5))
        def test_left(greeter, number): ...
        """,
    )
    result.assert_outcomes(passed=1, errors=5)
    assert causes(result) == [
        "5: greeter died during or after test_it.py::test_breaks, and did not start again: "
        "greeter did not start again; the end of its log:; first: test_it.py::test_left[0]"
    ]
