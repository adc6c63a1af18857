"""Many leave at once, and several workers and webs share a PostgreSQL with few connections; each of
them is killed meanwhile.
"""

import pytest

from tests.life.departures import crowd
from workspace_sandbox.storm import ledgers

pytestmark = pytest.mark.real
DONE = "FROM records_plan WHERE kind = 'removal' AND state = 'done'"
SUPERUSERS = 3
"""Connections of a server that are theirs alone."""


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("people", "workers", "webs", "most"),
    [
        (6, 2, 1, 40),
        pytest.param(200, 4, 2, 60, marks=[pytest.mark.everything, pytest.mark.timeout(7200)]),
    ],
)
def test_everybody_leaves_once_while_each_process_is_killed(
    people: int, workers: int, webs: int, most: int
) -> None:
    with crowd(
        workers=workers, webs=webs, max_connections=most, WORKSPACE_LEASE_SECONDS="10"
    ) as running:
        systems = running.workspace.told["systems"]
        controls = {name: system["control_url"] for name, system in systems.items()}
        leaving = running.settle(people)
        plans = running.draft(leaving)
        since = {name: ledgers.length(url) for name, url in controls.items()}
        running.approve(plans)
        names = list(running.processes)
        for n, name in enumerate(names, start=1):
            running.wait(f"SELECT count(*) >= {people * n // (len(names) + 2)} {DONE}")
            running.kill_and_start(name)
        running.wait(f"SELECT count(*) = {people} {DONE}")
        assert running.states() == {"done": people}
        assert running.most < most - SUPERUSERS
        seen = ledgers.look(controls, since)
        wrong = ledgers.wrong(seen, gone=leaving, stayed=[], new=[])
        assert not any(wrong.values()), wrong
