"""How REST shows a comparison with the systems, and what it found."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from workspace_manager.contract.member_description import SystemName, UserName, Uuid, When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.reconcile import repairs
from workspace_manager.records.models import ReconcileItem, ReconcilePart, ReconcileRun
from workspace_manager.web.pages.translate import Coded, said

Difference = Literal[
    "unknown_account",
    "unknown_thing",
    "missing",
    "identity_recreated",
    "identity_gone",
    "identity_disabled",
    "wrong_sub",
    "open_while_suspended",
    "holder_not_shared",
    "holder_lacks",
]
Repair = Literal["connect", "adopt", "remove", "shut", "take", "give_back", "ignore", "disconnect"]


class SystemCompared(BaseModel):
    """How far a run is with one system."""

    system: Annotated[SystemName, describe("Which system.")]
    state: Annotated[
        Literal["pending", "waiting", "done", "unread"],
        describe("`unread`: it was not read in this run; `reason` says why."),
    ]
    pages: Annotated[int, describe("How many pages were read.", 12)]
    seen: Annotated[int, describe("How many accounts and things were on them.", 1104)]
    not_looked_at: Annotated[
        int,
        describe(
            "How many differences and absences were not looked at by themselves in this run: those "
            "that were open last, and the next run begins with them.",
            0,
        ),
    ]
    reason: Annotated[str | None, describe("Why it waits or was not read.", "no answer")]
    reason_message: Coded | None = None
    finished_at: Annotated[When | None, describe("When all of it was read.")]


class RunShown(BaseModel):
    """One comparison of everything the systems hold with the records."""

    id: Annotated[Uuid, describe("The id of the run.")]
    state: Annotated[Literal["running", "done"], describe("Whether something is still to be read.")]
    started_at: Annotated[When, describe("When it began.")]
    started_by: Annotated[UserName, describe("Who asked for it; `manager`: it began by itself.")]
    finished_at: Annotated[When | None, describe("When it ended.")]
    parts: Annotated[list[SystemCompared], describe("System by system.")]


class DifferenceShown(BaseModel):
    """One difference: the same from when it was first seen until a look shows that it is over."""

    n: Annotated[int, describe("The number it is known by.", 17)]
    difference: Annotated[Difference, describe("What is otherwise.")]
    system: Annotated[SystemName, describe("The system where it was found.")]
    kind: Annotated[str, describe("What kind of thing it is.", "sql_server.user")]
    name: Annotated[str, describe("What it is called there.", "carl")]
    holder: Annotated[str | None, describe("The account whose right it is about.", "carl")]
    username: Annotated[UserName | None, describe("Whose it may be, by the records.")]
    sub: Annotated[
        str | None,
        describe("The user id it belongs to, as the system says.", "6c1f7a52-1d0e-4a43-9d0a"),
    ]
    login_name: Annotated[str | None, describe("The name its person signs in with there.", "carl")]
    email: Annotated[str | None, describe("Its address there.", "carl@example.org")]
    email_confirmed: Annotated[bool, describe("Whether somebody confirmed that address there.")]
    full_name: Annotated[str | None, describe("What its person is called there.", "Carl Cole")]
    evidence: Annotated[str | None, describe("What was seen there.", "the user carl, unlocked")]
    evidence_message: Coded | None = None
    reason: Annotated[str | None, describe("Why that is a difference.", "Nobody has this account.")]
    reason_message: Coded | None = None
    advice: Annotated[str | None, describe("What else to do about it.", "Delete it there.")]
    advice_message: Coded | None = None
    repairs: Annotated[
        list[Repair], describe("What can be done: the last part of the address of each.")
    ]
    first_seen: Annotated[When, describe("When a walk saw it first.")]
    last_seen: Annotated[When, describe("When a walk saw it last.")]
    ended_at: Annotated[When | None, describe("When it was over; null while it lasts.")]
    ignored_until: Annotated[When | None, describe("Until when somebody put it off.")]
    ignored_why: Annotated[
        str | None, describe("Why somebody put it off.", "the reports’ own account")
    ]
    ignored_by: Annotated[UserName | None, describe("Who put it off.")]
    plan: Annotated[Uuid | None, describe("The plan that was last made to repair it.")]


def run_shown(run: ReconcileRun) -> dict[str, Any]:
    """One run for an administrator."""
    return {
        "id": str(run.id),
        "state": run.state,
        "started_at": in_utc(run.started_at),
        "started_by": run.started_by,
        "finished_at": in_utc(run.finished_at),
        "parts": [_part(part) for part in run.parts.all()],
    }


def _part(part: ReconcilePart) -> dict[str, Any]:
    return {
        "system": part.system,
        "state": part.state,
        "pages": part.pages,
        "seen": part.seen,
        "not_looked_at": part.not_looked_at,
        **said("reason", part.reason),
        "finished_at": in_utc(part.finished_at),
    }


def all_shown(rows: Sequence[ReconcileItem]) -> list[dict[str, Any]]:
    return [item_shown(row) for row in rows]


def item_shown(row: ReconcileItem) -> dict[str, Any]:
    """One difference for an administrator."""
    texts = ("holder", "username", "sub", "login_name", "email", "full_name")
    times = ("first_seen", "last_seen", "ended_at", "ignored_until")
    return {
        "n": row.n,
        "difference": row.difference,
        "system": row.system,
        "kind": row.kind,
        "name": row.name,
        **{name: getattr(row, name) or None for name in texts},
        "email_confirmed": row.email_confirmed,
        **said("evidence", row.evidence),
        **said("reason", row.reason),
        **said("advice", repairs.advice(row)),
        "repairs": repairs.offered_actions(row),
        **{name: in_utc(getattr(row, name)) for name in times},
        "ignored_why": row.ignored_why or None,
        "ignored_by": row.ignored_by or None,
        "plan": str(row.plan) if row.plan else None,
    }
