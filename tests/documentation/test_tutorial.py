"""The tutorial, followed word for word: what it says to type and to click is typed and clicked, and
has to show what it says. Only the port is another one, since tests share a machine.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.documentation.clicks import Window
from tests.documentation.page import DOCS, Clicked, Ids, Typed, steps
from tests.documentation.terminal import Terminal
from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, START_S

ROOT = DOCS.parent
PAGE = DOCS / "tutorial" / "a-life.md"
STEPS = steps(PAGE)
PORT_OF_THE_PAGE = "8000"
BREAKS = "Now break something"

pytestmark = pytest.mark.thorough


class Reader:
    """Somebody who follows the page: the first terminal runs already."""

    def __init__(self, home: Path, first: "FirstTerminal") -> None:
        self.first, self.ids = first, Ids({})
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {"PATH": path, "PYTHONPATH": os.pathsep.join(sys.path), "LANG": "C.UTF-8"}
        self.terminal = Terminal(home, environment)
        self.windows: dict[str, Window] = {}

    def follow(self, step: Typed | Clicked) -> None:
        """Do one step."""
        if isinstance(step, Clicked):
            self.windows[step.who].do(step.words)
        elif not step.command.startswith("make demo"):
            self.type(step)

    def type(self, step: Typed) -> None:
        command = self.ids.in_command(step.command)
        until = time.monotonic() + (PATIENCE_S if step.later else 0)
        while True:
            ended, seen = self.terminal.type(command)
            if ended == 0 and self.ids.fits(step.printed, seen):
                return
            told = "\n".join(step.printed)
            assert time.monotonic() < until, f"{command}\nprinted ({ended}):\n{seen}\nnot:\n{told}"
            time.sleep(0.5)


class FirstTerminal:
    """`make demo`, as it is typed; make itself is asked what it would run, since its set-up is not
    for tests.
    """

    def __init__(self, home: Path) -> None:
        typed = next(step for step in STEPS if isinstance(step, Typed))
        make, *words = shlex.split(typed.command)
        shown = subprocess.run(
            [make, "--no-print-directory", "-n", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()[-1]
        assert shown.startswith("exec .venv/bin/workspace-manager demo ")
        self.port = str(children.free_port())
        program = f"{shlex.quote(sys.executable)} -m workspace_manager.cli"
        command = shown.replace("exec .venv/bin/workspace-manager", f"exec {program}")
        self.log = home / "first-terminal"
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                ["bash", "-c", f"{command} --port {self.port}"],
                env={**os.environ, "HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
                cwd=home,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + START_S
        while "Ctrl-C stops everything." not in self.log.read_text():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.1)
        seen = self.log.read_text().replace(f":{self.port}", f":{PORT_OF_THE_PAGE}")
        assert Ids({}).fits(typed.printed, seen), seen
        signs_in = re.findall(r"^  [a-z ]{15} (\w+) +(\S+)$", seen, re.MULTILINE)
        self.passwords = dict(signs_in)

    def control_c(self) -> None:
        os.killpg(self.process.pid, signal.SIGINT)
        assert self.process.wait(PATIENCE_S) == 0


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    first = FirstTerminal(tmp_path)
    try:
        found = Reader(tmp_path, first)
        try:
            yield found
        finally:
            found.terminal.close()
    finally:
        if first.process.poll() is None:
            os.killpg(first.process.pid, signal.SIGTERM)
            first.process.wait(PATIENCE_S)


@pytest.mark.everything
def test_what_is_typed_alone(reader: Reader, tmp_path: Path) -> None:
    """The part that needs no browser, for where there is none: break something, mend it, end it.
    Where there is one, the whole page types it too.
    """
    for step in STEPS:
        if step.section in {"Start", BREAKS}:
            reader.follow(step)
    reader.first.control_c()
    assert not (tmp_path / "workspace-tutorial" / "environment").exists()
    reader.follow(STEPS[-1])
    assert not (tmp_path / "workspace-tutorial").exists()


@pytest.mark.browser
def test_the_whole_page(reader: Reader, chromium: Browser, tmp_path: Path) -> None:
    address = f"http://127.0.0.1:{reader.first.port}"
    visitors = {
        step.who: chromium.new_context(locale="en-GB", timezone_id="Europe/Berlin")
        for step in STEPS
        if isinstance(step, Clicked)
    }
    for who, visitor in visitors.items():
        reader.windows[who] = Window(visitor.new_page(), address, reader.first.passwords)
    for step in STEPS:
        if step is STEPS[-1]:
            reader.first.control_c()
        reader.follow(step)
    for visitor in visitors.values():
        visitor.close()
    assert not (tmp_path / "workspace-tutorial").exists()


def test_every_command_of_the_page_is_in_a_block_that_is_followed() -> None:
    """No other kind of block hides one."""
    fences = re.findall(r"^```(.*)$", PAGE.read_text(), re.MULTILINE)
    assert set(fences) == {"console", ""}
    assert {step.section for step in STEPS} == set(
        re.findall(r"^## (.*)$", PAGE.read_text(), re.MULTILINE)
    )
