"""A fault in a system is found unasked, explained, and over by itself when it is mended. In
a demo in which nothing happened the checks find nothing.
"""

import quopri
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.life import planted
from tests.life.person import Life, Workspace
from tests.life.planted import Planted
from tests.sample import first_of
from workspace_sandbox.demo import Demo
from workspace_sandbox.patience import eventually

SOON = {
    "WORKSPACE_HEALTH_LOOK_SECONDS": "5",
    "WORKSPACE_HEALTH_PROOF_MINUTES": "0.15",
    "WORKSPACE_HEALTH_CHECK_MINUTES": "0.15",
    "WORKSPACE_IDENTITY_LOOK_MINUTES": "0.15",
}
"""A quarter of an hour is nine seconds here, and a minute five."""
OF_OPENGDB = {"triplestore: load_from_files", "triplestore: open_repositories"}
"""What OpenGDB is like however well it is set up; its stand-in is no better."""


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    demo = Demo(port=0, settings=SOON)
    try:
        yield Workspace(demo.start())
    finally:
        demo.stop()


ROUNDS = (*planted.TOGETHER, (planted.deleted_there("gone-there"),))


def test_twelve_faults_are_planted_and_often_one_of_each_system() -> None:
    assert sum(map(len, ROUNDS)) == 12
    systems = {fault.system for together in ROUNDS for fault in together}
    assert sorted(fault.system for fault in ROUNDS[0]) == sorted(systems)


@pytest.mark.thorough
@pytest.mark.parametrize("together", first_of(ROUNDS), ids=lambda faults: faults[0].name)
def test_planted_faults_are_found_explained_told_of_and_close(
    workspace: Workspace, together: tuple[Planted, ...]
) -> None:
    """Those of one round at once: a letter is written when a fault has lasted two minutes. The demo
    is set up as its own checks want it: before anything happened in it, they find nothing.
    """
    assert _wrong(workspace) == OF_OPENGDB
    for name in {fault.person for fault in together} - {""}:
        somebody = Life(workspace, name)
        somebody.register()
        somebody.approve()
        assert somebody.sign_in().status_code == 200
    names = [one["name"] for one in workspace.api.get("/systems").json()["items"]]
    eventually("all is well", lambda: not any(_waiting(workspace, _of(name)) for name in names))
    told = [_letters(workspace, _where(fault)) for fault in together]
    for fault in together:
        fault.plant(workspace)
    for fault, before in zip(together, told, strict=True):
        _is_found(workspace, fault, before)
    for fault in together:
        fault.mend(workspace)
        if fault.refuses:
            workspace.api.post(f"/systems/{fault.system}/resume")
    for fault in together:
        _is_over(workspace, fault)


def _wrong(workspace: Workspace) -> set[str]:
    """What the checks of every system find."""
    names = [one["name"] for one in workspace.api.get("/systems").json()["items"]]
    assert {"identity_provider", "drive"} <= set(names)
    return {
        f"{name}: {one['name']}"
        for name in names
        for one in workspace.api.post(f"/systems/{name}/check").json()["findings"]
        if one["severity"] != "ok"
    }


def _is_found(workspace: Workspace, fault: Planted, letters: int) -> None:
    """It waits, says why, and is told of: in one letter more than there were."""
    where = _where(fault)
    items = eventually(f"{fault.name}: found", lambda: _waiting(workspace, where))
    assert all(one["why"] for one in items), fault.name
    if not fault.person:
        health = workspace.api.get(f"/systems/{fault.system}/health").json()
        assert (health["state"] != "up", bool(health["reason"])) == (True, True), fault.name
    told_of = f"{fault.name}: told of ({[one['key'] for one in items]})"
    eventually(told_of, lambda: _letters(workspace, where) > letters)


def _is_over(workspace: Workspace, fault: Planted) -> None:
    eventually(f"{fault.name}: over", lambda: not _waiting(workspace, _where(fault)))


def _where(fault: Planted) -> str:
    """The page that an item about it leads to."""
    return f"/manage/people/{fault.person}" if fault.person else _of(fault.system)


def _of(system: str) -> str:
    return f"/manage/systems#{system}"


def _waiting(workspace: Workspace, address: str) -> list[dict[str, Any]]:
    """What waits for the administrator and leads there."""
    found = workspace.api.get("/inbox?limit=200").json()["items"]
    return [one for one in found if one["action"]["address"] == address]


def _letters(workspace: Workspace, address: str) -> int:
    """How many letters lead there."""
    folder = Path(workspace.told["mail"])
    texts = [
        quopri.decodestring(one.read_bytes()).decode(errors="replace") for one in folder.iterdir()
    ]
    return sum(text.count(f"{workspace.manager}{address}") for text in texts)
