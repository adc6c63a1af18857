"""`/reconcile`: differences between the systems and the records, and actions on them.

See docs/explanation/reconcile.md.
"""

import uuid
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.engine.preview import await_looks
from workspace_manager.plan_kinds import PlanPreviewView
from workspace_manager.reconcile import repairs, walk
from workspace_manager.reconcile.difference_views import (
    DifferenceView,
    RunView,
    view_difference,
    view_run,
)
from workspace_manager.reconcile.items import items_of
from workspace_manager.reconcile.listings import ITEMS, RUNS
from workspace_manager.records.models import Plan, ReconcileItem, ReconcileRun
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Moment, Name, Text
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.plans import render_plan
from workspace_manager.web.api.responses import ListPage
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)
Number = Annotated[int, Field(ge=1, le=2**53)]


class RunsAsked(ListAsked, of=RUNS):
    """Filters and order of the list of runs."""


class ItemsAsked(ListAsked, of=ITEMS):
    """Filters and order of the list of differences."""


class Connecting(Input):
    """The owner of the account."""

    username: Annotated[Name, describe("The person whose it is.", "anna")]


class Ignoring(Input):
    """Reason and end of the snooze."""

    reason: Annotated[
        Text, Field(max_length=2000), describe("Reason of the snooze.", "The reports’ own account.")
    ]
    until: Annotated[
        Moment, describe("Until this moment, or the begin of this date.", "2030-01-01T00:00:00Z")
    ]


class Repairing(Input):
    """The approval of a repair. Without `digest`, a plan is made and returned; the digest of that
    plan starts it. `POST /plans/{id}/approve` starts it, too.
    """

    digest: Annotated[
        Annotated[Text, Field(max_length=200)] | None,
        describe("Of the plan that was shown: echo it.", "5f2d6f0c9a0e"),
    ] = None


@router.post("", response={202: RunView}, summary="Compare what the systems hold")
def begin(request: HttpRequest) -> RunView:
    """Begins a run, which the worker makes. If one is already running, the answer is that one."""
    return view_run(walk.begin(person_of(request).username))


@router.get("", response=ListPage[RunView], summary="List runs, newest first")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[RunsAsked],
) -> dict[str, Any]:
    """Each with its progress in every system."""
    rows = ReconcileRun.objects.prefetch_related("parts")
    return list_page(rows, window, RUNS, each(view_run))


@router.get("/{run_id}", response=RunView, summary="Show one run")
def show(request: HttpRequest, run_id: uuid.UUID) -> RunView:  # noqa: ARG001
    return view_run(ReconcileRun.objects.get(id=run_id))


@router.get("/{run_id}/items", response=ListPage[DifferenceView], summary="List differences")
def items(
    request: HttpRequest,  # noqa: ARG001
    run_id: uuid.UUID,
    window: Query[ItemsAsked],
) -> dict[str, Any]:
    """The differences at the end of the run; of the newest run, the present ones."""
    run = ReconcileRun.objects.get(id=run_id)
    return list_page(items_of(run), window, ITEMS, each(view_difference))


@router.post(
    "/{run_id}/items/{n}/connect",
    response=DifferenceView,
    summary="Say whose an account is",
    openapi_extra=says(409),
)
def connect(request: HttpRequest, run_id: uuid.UUID, n: Number, body: Connecting) -> DifferenceView:
    """Records the account as this person's, and as not made by the manager. `disconnect`
    undoes it.
    """
    item = _item(run_id, n)
    actor = person_of(request).username
    repairs.connect(item.n, body.username, actor=actor, systems=connected_systems())
    return _view_now(n)


@router.post(
    "/{run_id}/items/{n}/disconnect",
    response=DifferenceView,
    summary="Take back whose an account is",
    openapi_extra=says(409),
)
def disconnect(request: HttpRequest, run_id: uuid.UUID, n: Number) -> DifferenceView:
    """Works for a recorded account that no longer exists, too. The account itself stays, and the
    next run finds it again.
    """
    repairs.disconnect(_item(run_id, n).n, actor=person_of(request).username)
    return _view_now(n)


@router.post(
    "/{run_id}/items/{n}/adopt",
    response=DifferenceView,
    summary="Take an account for whose it may be",
    openapi_extra=says(409),
)
def adopt(request: HttpRequest, run_id: uuid.UUID, n: Number) -> DifferenceView:
    """Approves an account of the identity provider; its person is registered at the next
    sign-in.
    """
    actor = person_of(request).username
    repairs.adopt(_item(run_id, n).n, actor=actor, systems=connected_systems())
    return _view_now(n)


@router.post(
    "/{run_id}/items/{n}/remove",
    response={202: PlanPreviewView},
    summary="Remove what is nobody's",
    openapi_extra=says(409),
)
def remove(
    request: HttpRequest, run_id: uuid.UUID, n: Number, body: Repairing | None = None
) -> PlanPreviewView:
    """Without a digest: makes a plan to read. With its digest: starts the plan."""
    return _draft_or_start(request, run_id, n, "remove", body)


@router.post(
    "/{run_id}/items/{n}/shut",
    response={202: PlanPreviewView},
    summary="Disable an account whose person is suspended",
    openapi_extra=says(409),
)
def shut(
    request: HttpRequest, run_id: uuid.UUID, n: Number, body: Repairing | None = None
) -> PlanPreviewView:
    """Returns a plan first, like `remove`. The account is disabled as in a suspension."""
    return _draft_or_start(request, run_id, n, "shut", body)


@router.post(
    "/{run_id}/items/{n}/take",
    response={202: PlanPreviewView},
    summary="Revoke a right without a share",
    openapi_extra=says(409),
)
def take(
    request: HttpRequest, run_id: uuid.UUID, n: Number, body: Repairing | None = None
) -> PlanPreviewView:
    """Returns a plan first, like `remove`. The person's rights are set to those of the
    memberships.
    """
    return _draft_or_start(request, run_id, n, "take", body)


@router.post(
    "/{run_id}/items/{n}/give_back",
    response={202: PlanPreviewView},
    summary="Give back a right that is lacking",
    openapi_extra=says(409),
)
def give_back(
    request: HttpRequest, run_id: uuid.UUID, n: Number, body: Repairing | None = None
) -> PlanPreviewView:
    """Returns a plan first, like `remove`. The person's rights are set to those of the
    memberships.
    """
    return _draft_or_start(request, run_id, n, "give_back", body)


def _draft_or_start(
    request: HttpRequest, run_id: uuid.UUID, n: int, what: str, body: Repairing | None
) -> PlanPreviewView:
    item, actor = _item(run_id, n), person_of(request).username
    if body is None or body.digest is None:
        plan = repairs.draft(n, what, actor=actor, systems=connected_systems())
        await_looks(plan)
        return render_plan(plan)
    if item.plan is None:
        raise Plan.DoesNotExist
    return render_plan(repairs.approve(item.plan, digest=body.digest, actor=actor))


@router.post(
    "/{run_id}/items/{n}/ignore",
    response=DifferenceView,
    summary="Put a difference off",
    openapi_extra=says(409),
)
def ignore(request: HttpRequest, run_id: uuid.UUID, n: Number, body: Ignoring) -> DifferenceView:
    """The difference stays in the list, and nobody is told of it until then."""
    actor = person_of(request).username
    repairs.ignore(_item(run_id, n).n, reason=body.reason, until=body.until, actor=actor)
    return _view_now(n)


def _item(run_id: uuid.UUID, n: int) -> ReconcileItem:
    """Return the difference. Raises DoesNotExist without such a run or such a number."""
    ReconcileRun.objects.get(id=run_id)
    return ReconcileItem.objects.get(n=n)


def _view_now(n: int) -> DifferenceView:
    return view_difference(ReconcileItem.objects.get(n=n))
