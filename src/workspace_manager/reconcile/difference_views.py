"""Views of a comparison and its differences, for REST, pages and the command line."""

from typing import Annotated, Literal, TypeAlias

from workspace_manager.contract.member_description import SystemName, UserName, Uuid, When, describe
from workspace_manager.core.views import (
    OR_NONE,
    SAID,
    CodedMessage,
    OptionalText,
    View,
    as_data,
    one_of,
)
from workspace_manager.reconcile import repairs
from workspace_manager.records.models import ReconcileItem, ReconcileRun

Difference: TypeAlias = Annotated[str, one_of(ReconcileItem.Difference.values)]
Repair = Literal["connect", "adopt", "remove", "shut", "take", "give_back", "ignore", "disconnect"]


class PartView(View):
    """The progress of a run in one system."""

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
    reason: Annotated[str | None, SAID, describe("Why it waits or was not read.", "no answer")]
    reason_message: Annotated[CodedMessage | None, as_data("reason")] = None
    finished_at: Annotated[When | None, describe("When all of it was read.")]


class RunView(View):
    """One comparison of all systems with the records."""

    id: Annotated[Uuid, describe("The id of the run.")]
    state: Annotated[Literal["running", "done"], describe("Whether something is still to be read.")]
    started_at: Annotated[When, describe("When it began.")]
    started_by: Annotated[UserName, describe("Who asked for it; `manager`: it began by itself.")]
    finished_at: Annotated[When | None, describe("When it ended.")]
    parts: Annotated[list[PartView], describe("System by system.")]


class DifferenceView(View):
    """One difference, from when it was first seen until a check shows that it is over."""

    n: Annotated[int, describe("The number it is known by.", 17)]
    difference: Annotated[Difference, describe("The kind of difference.")]
    system: Annotated[SystemName, describe("The system where it was found.")]
    kind: Annotated[str, describe("What kind of thing it is.", "sql_server.user")]
    name: Annotated[str, describe("What it is called there.", "carl")]
    holder: Annotated[OptionalText, describe("The account whose right it is.", "carl")]
    username: Annotated[UserName | None, OR_NONE, describe("Whose it may be, by the records.")]
    sub: Annotated[
        OptionalText,
        describe("The user id it belongs to, as the system says.", "6c1f7a52-1d0e-4a43-9d0a"),
    ]
    login_name: Annotated[
        OptionalText, describe("The name its person signs in with there.", "carl")
    ]
    email: Annotated[OptionalText, describe("Its address there.", "carl@example.org")]
    email_confirmed: Annotated[bool, describe("Whether somebody confirmed that address there.")]
    full_name: Annotated[OptionalText, describe("What its person is called there.", "Carl Cole")]
    evidence: Annotated[
        str | None, SAID, describe("What was seen there.", "the user carl, unlocked")
    ]
    evidence_message: Annotated[CodedMessage | None, as_data("evidence")] = None
    reason: Annotated[
        str | None, SAID, describe("Why that is a difference.", "Nobody has this account.")
    ]
    reason_message: Annotated[CodedMessage | None, as_data("reason")] = None
    advice: Annotated[str | None, SAID, describe("What else to do about it.", "Delete it there.")]
    advice_message: Annotated[CodedMessage | None, as_data("advice")] = None
    repairs: Annotated[
        list[Repair], describe("What can be done: the last part of the address of each.")
    ]
    first_seen: Annotated[When, describe("When a walk saw it first.")]
    last_seen: Annotated[When, describe("When a walk saw it last.")]
    ended_at: Annotated[When | None, describe("When it was over; null while it lasts.")]
    ignored_until: Annotated[When | None, describe("Until when somebody put it off.")]
    ignored_why: Annotated[
        OptionalText, describe("Why somebody put it off.", "the reports’ own account")
    ]
    ignored_by: Annotated[UserName | None, OR_NONE, describe("Who put it off.")]
    plan: Annotated[Uuid | None, describe("The plan that was last made to repair it.")]


def view_run(run: ReconcileRun) -> RunView:
    return RunView.from_row(run, parts=list(run.parts.all()))


def view_difference(row: ReconcileItem) -> DifferenceView:
    """Return a difference with its actions and advice."""
    return DifferenceView.from_row(
        row, advice=repairs.advice(row), repairs=repairs.offered_actions(row)
    )
