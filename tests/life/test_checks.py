"""The demo is set up as its own checks want it: a finding there is something somebody broke."""

from collections.abc import Iterator

import pytest

from tests.life.person import Workspace
from workspace_sandbox.demo import Demo

OF_OPENGDB = {"triplestore: load_from_files", "triplestore: open_repositories"}
"""What OpenGDB is like however well it is set up; its stand-in is no better."""


@pytest.fixture
def untouched() -> Iterator[Workspace]:
    """A demo in which nothing happened: who left others leaves a container behind, say."""
    demo = Demo(port=0)
    try:
        yield Workspace(demo.start())
    finally:
        demo.stop()


@pytest.mark.thorough
def test_the_checks_of_a_well_set_up_demo_find_nothing(untouched: Workspace) -> None:
    names = [one["name"] for one in untouched.api.get("/systems").json()["items"]]
    assert {"identity_provider", "drive"} <= set(names)
    wrong = {
        f"{name}: {one['name']}"
        for name in names
        for one in untouched.api.post(f"/systems/{name}/check").json()["findings"]
        if one["severity"] != "ok"
    }
    assert wrong == OF_OPENGDB
