"""The tool names what a wheel may not hold, and what it may not lack."""

import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools import bare_wheel

DE = "workspace_manager/web/locale/de/LC_MESSAGES/django"


def wheel(folder: Path, *names: str) -> Path:
    file = folder / "workspace_manager-1-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as packed:
        for name in names:
            packed.writestr(name, "")
    return file


def test_a_whole_wheel_passes(tmp_path: Path) -> None:
    bare_wheel.check_content(
        wheel(tmp_path, "workspace_manager/__init__.py", f"{DE}.po", f"{DE}.mo")
    )


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ((f"{DE}.po", f"{DE}.mo", "workspace_sandbox/demo.py"), "holds what is not the manager's"),
        ((f"{DE}.po", f"{DE}.mo", "tests/test_a.py"), "holds what is not the manager's"),
        ((f"{DE}.po",), f"not compiled: {DE}"),
        (("workspace_manager/__init__.py",), "holds no translation"),
    ],
)
def test_what_is_wrong_with_a_wheel_is_named(
    tmp_path: Path, names: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(bare_wheel.Wrong, match=complaint):
        bare_wheel.check_content(wheel(tmp_path, *names))


def test_a_signal_is_caught_from_the_moment_its_handler_stands() -> None:
    code = "import signal; {}; print(flush=True); input()"
    for handler, expected in (("signal.signal(15, print)", True), ("0", False)):
        command = [sys.executable, "-c", code.format(handler)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            assert child.stdout
            child.stdout.readline()
            assert bare_wheel.catches(child.pid, signal.SIGTERM) is expected
            child.kill()
