"""Attacks by whoever may write a row of the database, and has no key of ours."""

import base64
import json
import os
import pickle
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.attack.database import Database
from tests.attack.scene import Scene
from tests.pickles import is_pickle
from workspace_sandbox.patience import eventually

FORMER = "workspace"
"""The queue of earlier versions, whose name everybody knows."""


class Runs:
    """What makes a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.folder),)


def a_pickle_in_the_queue_runs_nothing(scene: Scene) -> None:
    """It is dropped unread, wherever in the queue it was put, and administrators are told."""
    queue = Database(scene.workspace.told["environment"]["WORKSPACE_QUEUE_URL"])
    task, schedule = queue.of_queue("task"), queue.of_queue("schedule")
    names = eventually(
        "something in the queue",
        lambda: queue.execute(f"SELECT DISTINCT queue FROM {schedule}"),
    )
    ran = Path(scene.workspace.told["mail"]).parent / f"ran-{uuid.uuid4().hex}"
    attack = pickle.dumps(Runs(ran))
    for name in {FORMER, *(str(name) for (name,) in names)}:
        queue.execute(f"INSERT INTO {task} (queue, data, priority) VALUES (?, ?, 9)", name, attack)
        queue.execute(
            f"INSERT INTO {schedule} (queue, data, timestamp) VALUES (?, ?, 0)", name, attack
        )

    def left() -> list[Any]:
        return [
            row
            for table in (task, schedule)
            for row in queue.execute(f"SELECT queue, data FROM {table}")
            if row[1] == attack and tuple(row[:1]) in {tuple(name) for name in names}
        ]

    eventually("what was put there is taken", lambda: ran.exists() or not left())
    for table in (task, schedule):
        queue.execute(f"DELETE FROM {table} WHERE data = ?", attack)
    assert not ran.exists(), "what somebody put into the queue was run"
    assert _said_of_the_queue(scene) >= 2 * len(names)


def _said_of_the_queue(scene: Scene) -> int:
    """How many entries were dropped, as an administrator of the host is told."""
    told = subprocess.run(
        [sys.executable, "-m", "workspace_manager.cli", "check", "--json"],
        env={**os.environ, **scene.workspace.told["environment"]},
        capture_output=True,
        text=True,
        check=False,
    )
    [finding] = [one for one in json.loads(told.stdout)["items"] if one["name"] == "queue"]
    assert finding["severity"] == "failing", finding
    assert finding["remedy"]
    return int(finding["message"]["params"]["n"])


def a_pickle_in_the_cache_runs_nothing(scene: Scene) -> None:
    """Under keys that everybody knows, and that each sign-in asks for."""
    cache = Database(scene.workspace.told["environment"]["WORKSPACE_DATABASE_URL"])
    ran = Path(scene.workspace.told["mail"]).parent / f"ran-{uuid.uuid4().hex}"
    attack = base64.b64encode(pickle.dumps(Runs(ran))).decode()
    for key in (":1:identity_provider:silent", ":1:drive-refused-forgotten"):
        cache.execute(
            "INSERT INTO workspace_cache (cache_key, value, expires) VALUES (?, ?, ?)"
            " ON CONFLICT (cache_key) DO UPDATE SET value = excluded.value,"
            " expires = excluded.expires",
            *(key, attack, "9999-12-31 00:00:00"),
        )
    scene.removed(scene.somebody())
    cache.execute("DELETE FROM workspace_cache WHERE value = ?", attack)
    assert not ran.exists(), "what somebody put into the cache was run"


def no_row_is_a_pickle(scene: Scene) -> None:
    """Nothing that is kept is one, after a life; the queue has JSON that is signed."""
    scene.removed(scene.somebody())
    given = scene.workspace.told["environment"]
    queue = Database(given["WORKSPACE_QUEUE_URL"])
    tasks = eventually(
        "something in the queue",
        lambda: queue.execute(f"SELECT data FROM {queue.of_queue('schedule')}"),
    )
    for url in {given["WORKSPACE_DATABASE_URL"], queue.url}:
        kept = list(Database(url).values())
        assert kept
        pickled = {table for table, value in kept if is_pickle(value)}
        assert not pickled, pickled
    for (data,) in tasks:
        assert json.loads(data.partition(b":")[2])["name"]
