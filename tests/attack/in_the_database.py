"""Attacks by whoever may write into the manager's database, and nothing more."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import Any, Final
from uuid import UUID

import psycopg

from tests.attack.scene import Scene
from workspace_sandbox.patience import PATIENCE_S, eventually

DATABASE: Final = "WORKSPACE_DATABASE_URL"
LOOKED: Final = {"clean", "removed"}
PLAN: Final = "records_plan WHERE id = {plan}"
STEP: Final = "records_planstep WHERE n = 3 AND plan_id = {plan}"
CHANGED: Final = "was changed after it ended"
EDITS: Final = (
    (PLAN, "approved_by", "somebody-else"),
    (PLAN, "approved_at", "2026-01-01 00:00:00+00:00"),
    (PLAN, "finished_at", "2026-01-01 00:00:00+00:00"),
    (STEP, "evidence", "[]"),
    (STEP, "state", "already_gone"),
)


def a_proof_that_is_edited_is_no_proof_any_more(scene: Scene) -> None:
    """Evidence, approver and times of a removal that has ended: REST, the command line and the
    audit say that they are not what they were.
    """
    plan = _ended_removal(scene)
    assert _said(scene, plan) == ("as_noted", False)
    for place, column, value in EDITS:
        before = _written(scene, plan, place, column, value)
        said = _said(scene, plan)
        _written(scene, plan, place, column, before)
        assert said == ("differs", True), f"{column}: {said}"
        assert _said(scene, plan) == ("as_noted", False), column
    place, column, value = EDITS[0]
    before = _written(scene, plan, place, column, value)
    assert CHANGED in _printed(scene, plan)
    _written(scene, plan, place, column, before)
    assert CHANGED not in _printed(scene, plan)


def _ended_removal(scene: Scene) -> str:
    """One of those that there are, whose late look is over; or another."""
    path = "/plans?kind=removal&state=done&limit=200"
    for plan in scene.workspace.api.get(path).json()["items"]:
        if plan["late_look"]["state"] in LOOKED and plan["steps"][2]["evidence"]:
            return str(plan["id"])
    removed = scene.removed(scene.somebody())["id"]

    def looked() -> bool:
        plan = scene.workspace.api.get(f"/plans/{removed}").json()
        return plan["late_look"]["state"] in LOOKED

    eventually("late look", looked)
    return str(removed)


def _said(scene: Scene, plan: str) -> tuple[str, bool]:
    """What REST says of it, and whether the verified audit names it."""
    shown = scene.workspace.api.get(f"/plans/{plan}").json()["noted"]
    verified = scene.workspace.api.get("/audit/verify").json()
    named = any(one["plan"] == plan for one in verified["problems"])
    assert verified["verifies"] is not named, verified["problems"]
    return shown["state"], named


def _printed(scene: Scene, plan: str) -> str:
    """What the command line prints of it."""
    told = subprocess.run(
        [sys.executable, "-m", "workspace_manager.cli", "plans", "show", plan],
        env={**os.environ, **scene.workspace.told["environment"]},
        capture_output=True,
        text=True,
        check=True,
    )
    return " ".join(told.stdout.split())


def _written(scene: Scene, plan: str, place: str, column: str, value: Any) -> Any:
    """Write it there; gives what was there."""
    url = scene.workspace.told["environment"][DATABASE]
    if url.startswith("sqlite:///"):
        where = place.format(plan=f"'{UUID(plan).hex}'")
        with (
            closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=PATIENCE_S)) as file,
            file,
        ):
            ((before,),) = file.execute(f"SELECT {column} FROM {where}")
            table, _, which = where.partition(" ")
            file.execute(f"UPDATE {table} SET {column} = ? {which}", (value,))
        return before
    where = place.format(plan=f"'{plan}'")
    table, _, which = where.partition(" ")
    with psycopg.connect(url) as server:
        asked = server.execute(f"SELECT {column}::text FROM {where}".encode())
        ((before,),) = asked.fetchall()
        ((kind,),) = server.execute(f"SELECT pg_typeof({column}) FROM {where}".encode()).fetchall()
        server.execute(f"UPDATE {table} SET {column} = %s::{kind} {which}".encode(), (value,))
    return before
