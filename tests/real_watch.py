"""A pytest plugin: a real part that dies in the middle of a run is started again once, where it was
and with what it kept, and that is said among the causes at the end.

It is looked after before each test that uses it: whether its process is gone, and, where the test
before failed, whether it still answers. The test it died under has failed, and is not tried again.
When it dies a second time, what is left of its tests fails at once, with that one cause.
"""

import contextlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Protocol

import pytest

from tests import causes
from tests.real_parts import Part, parts_of


class Startable(Protocol):
    """What every real server of the sandbox can do."""

    begun_again: int

    def start(self) -> object: ...

    def stop(self) -> None: ...

    def has_ended(self) -> bool: ...

    def answers(self) -> bool: ...

    def start_again(self) -> None: ...


@dataclass
class Watched:
    """A server that runs, and what is known of it."""

    server: Startable
    used_by: str = ""
    """The test that used it last."""
    doubted: bool = False
    """That test failed."""
    lost: str = ""
    """Why it is not started any more."""


@contextlib.contextmanager
def watched(part: Part, server: Startable) -> Iterator[None]:
    """Look after a server of this part until the end of the block."""
    one = Watched(server)
    part.running.append(one)
    try:
        yield
    finally:
        part.running.remove(one)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look after what this test uses."""
    for part in parts_of(item):
        for one in part.running:
            if not one.lost:
                _look(item, part.name, one)
            if one.lost:
                pytest.fail(one.lost, pytrace=False)
            one.doubted = False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    for part in parts_of(item):
        for one in part.running:
            one.used_by, one.doubted = item.nodeid, one.doubted or report.failed
    return report


def _look(item: pytest.Item, name: str, one: Watched) -> None:
    """Start it again if it died; a second time, or in vain, it is lost."""
    if one.server.has_ended():
        how = f"{name} died during or after {one.used_by or 'its start'}"
    elif one.doubted and not one.server.answers():
        how = f"{name} does not answer any more, since {one.used_by}"
    else:
        return
    if one.server.begun_again:
        one.lost = f"{how}: the second time, and it is not started again"
        causes.note(item, one.lost, during=one.used_by)
        return
    try:
        one.server.start_again()
    except RuntimeError as failed:
        one.lost = f"{how}, and did not start again: {str(failed).splitlines()[0]}"
    causes.note(item, one.lost or f"{how}: it was started again, once", during=one.used_by)
