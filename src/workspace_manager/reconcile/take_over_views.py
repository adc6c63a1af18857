"""Views of a take-over: proposals, confirmations and undo."""

from typing import Annotated

from workspace_manager.contract.member_description import SystemName, UserName, Uuid, When, describe
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.views import OR_NONE, SAID, CodedMessage, OptionalText, View, as_data
from workspace_manager.reconcile.proposals import digest, left_out, proposals
from workspace_manager.reconcile.take_over import not_taken, results
from workspace_manager.records.models import TakeOver


class ProposalView(View):
    """An account that belongs to nobody here, its possible owner, and the evidence."""

    n: Annotated[int, describe("The number of the difference.", 17)]
    system: Annotated[SystemName, describe("Where the account is.")]
    kind: Annotated[str, describe("What kind of account it is.", "drive.account")]
    name: Annotated[
        str, describe("What it is called there.", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90")
    ]
    login_name: Annotated[
        OptionalText, describe("The name its person signs in with there.", "anna")
    ]
    email: Annotated[OptionalText, describe("Its address there.", "anna@example.org")]
    email_confirmed: Annotated[bool, describe("Whether somebody confirmed that address there.")]
    full_name: Annotated[OptionalText, describe("What its person is called there.", "Anna Abel")]
    username: Annotated[
        UserName | None, OR_NONE, describe("Whose it is proposed to be; null: nobody's.")
    ]
    proposed: Annotated[bool, describe("Whether somebody is proposed.")]
    new: Annotated[bool, describe("Whether a person is made for it.")]
    why: Annotated[
        str, SAID, describe("What speaks for it, or why nobody is proposed.", "The id is hers.")
    ]
    why_message: Annotated[CodedMessage | None, as_data("why")] = None


class ProposalsView(View):
    """One part of the list, and the digest to echo in a confirmation."""

    items: Annotated[list[ProposalView], describe("The asked part of the list.")]
    count: Annotated[int, describe("How many there are in all, whatever part was asked for.", 1)]
    proposals: Annotated[int, describe("How many of all that are asked for are proposed.", 4)]
    digest: Annotated[
        str, describe("Opaque: echo it when you confirm what you were shown.", "5f2d")
    ]
    left_out: Annotated[
        int,
        describe("How many more there are than are judged together: they follow, or search.", 0),
    ]


class NotTakenView(View):
    """A chosen account that no longer applied."""

    n: Annotated[int, describe("The number of the difference.", 17)]
    reason: Annotated[
        str, SAID, describe("Why it was not taken over.", "It was recorded meanwhile.")
    ]
    reason_message: Annotated[CodedMessage | None, as_data("reason")] = None


class TakeOverView(View):
    """A confirmation and its results."""

    id: Annotated[Uuid, describe("The id of the take-over.")]
    run: Annotated[Uuid, describe("The comparison it was made of.")]
    confirmed_at: Annotated[When, describe("When it was confirmed.")]
    confirmed_by: Annotated[UserName, describe("Who confirmed it.")]
    finished_at: Annotated[
        When | None, describe("When all of it was dealt with; null: it goes on by itself.")
    ]
    undone_at: Annotated[When | None, describe("When it was taken back.")]
    chosen: Annotated[int, describe("How many accounts were chosen.", 4)]
    taken: Annotated[int, describe("How many were taken over.", 3)]
    refused: Annotated[int, describe("How many were not so any more.", 1)]
    left: Annotated[int, describe("How many are still to be dealt with.", 0)]
    not_taken: Annotated[list[NotTakenView], describe("Those that were not so any more, and why.")]


class UndoneView(View):
    """The results of an undo."""

    accounts: Annotated[int, describe("How many accounts are nobody's again.", 3)]
    kept: Annotated[
        list[UserName], describe("Who signed in or made something since, and stays.", ["anna"])
    ]


def view_proposals(
    systems: ConnectedSystems, asked: ListQuery, part: slice = slice(None)
) -> ProposalsView:
    """Return the requested part; the digest covers every requested proposal, with or without an
    owner.
    """
    found = proposals(systems, asked)
    wanted = asked.filters.get("proposed")
    chosen = [one for one in found if wanted in {None, bool(one.username)}]
    return ProposalsView(
        items=[
            ProposalView.from_row(
                one.item,
                username=one.username,
                proposed=bool(one.username),
                new=one.new,
                why=one.why,
            )
            for one in chosen[part]
        ],
        count=len(chosen),
        proposals=sum(bool(one.username) for one in found),
        digest=digest(found),
        left_out=left_out(asked),
    )


def view_take_over(row: TakeOver) -> TakeOverView:
    refused = [{"n": n, "reason": why} for n, why in not_taken(row)]
    return TakeOverView.from_row(row, **results(row), not_taken=refused)
