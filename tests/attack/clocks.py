"""Attacks by the time: a worker whose clock was turned, by whoever answers it what time it is."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.attack.scene import Scene
from tests.child_clock import sitecustomize as child
from tests.life.person import Life
from workspace_sandbox.patience import PATIENCE_S

FORTY_DAYS = timedelta(days=40)
A_MINUTE = """
import workspace_manager.bootstrap
from workspace_manager import housekeeping
from workspace_manager.wiring import connected_systems
housekeeping.look_after(connected_systems())
"""
"""What a worker does each minute, and once when it starts."""


def a_worker_whose_clock_is_ahead_ends_nothing(scene: Scene) -> None:
    """It lets nobody in again, and takes no registration, permission, token or session."""
    suspended, holder = scene.somebody(), scene.somebody()
    newcomer = Life(scene.workspace, f"n{suspended.username}")
    newcomer.register()
    soon = f"{datetime.now(UTC) + timedelta(days=5):%Y-%m-%dT%H:%M:%SZ}"
    order = scene.workspace.api.post(f"/people/{suspended.username}/suspend", json={"until": soon})
    assert order.status_code == 202, order.text
    scene.ended(order.json()["id"])
    body = {"permissions": ["view_stacks"], "until": soon}
    answer = scene.workspace.api.put(f"/people/{holder.username}/permissions", json=body)
    assert answer.status_code == 200, answer.text
    token = holder.call("POST", "/me/tokens", {"name": "script", "expires_at": soon}).json()
    for _ in range(2):
        _work_for_a_minute(scene)
        person = scene.workspace.api.get(f"/people/{suspended.username}").json()
        assert person["state"] == "suspended", person
    has = scene.workspace.api.get(f"/people/{holder.username}/permissions").json()
    assert "view_stacks" in str(has), has
    assert scene.taken(token["token"])
    assert holder.call("GET", "/me").status_code == 200
    newcomer.approve()
    assert newcomer.sign_in().status_code == 200, "the hash of the password was erased"
    for life in (suspended, holder, newcomer):
        scene.removed(life)


def _work_for_a_minute(scene: Scene) -> None:
    """Be a worker of this workspace on a host that is forty days ahead."""
    told = scene.workspace.told["environment"]
    folder, others = str(Path(child.__file__).parent), os.environ.get("PYTHONPATH", "")
    ahead = float(os.environ.get(child.AHEAD, "0")) + FORTY_DAYS.total_seconds()
    subprocess.run(
        [sys.executable, "-c", A_MINUTE],
        env={
            **os.environ,
            **told,
            "PYTHONPATH": os.pathsep.join(filter(None, (folder, others))),
            child.AHEAD: repr(ahead),
        },
        check=True,
        timeout=PATIENCE_S,
    )
