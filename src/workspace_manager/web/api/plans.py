"""`/plans`: plans step by step, and an administrator's decisions on steps."""

import uuid
from typing import Annotated, Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from workspace_manager.contract.member_description import ID, describe
from workspace_manager.engine import actions
from workspace_manager.engine.preview import await_looks
from workspace_manager.engine.view import PlanView
from workspace_manager.plan_kinds import (
    PLAN_KINDS,
    PLANS,
    PlanPreviewView,
    preview_plan,
    view_plan,
    view_plans,
)
from workspace_manager.reconcile import repairs
from workspace_manager.reconcile.plan import REPAIRS
from workspace_manager.records.models import Person, Plan, PlanStep
from workspace_manager.removal import left_account
from workspace_manager.removal.approve import approve_removal
from workspace_manager.web.api.auth import administrator, person_of, signed_in
from workspace_manager.web.api.inputs import Id, Input, Name, StepNumber, Text
from workspace_manager.web.api.lists import ListAsked, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage
from workspace_manager.wiring import connected_systems

router = Router(auth=signed_in)

LONGEST_TRANSFER = 500


class PlansAsked(ListAsked, of=PLANS):
    """Filters and order of plans."""


class Approval(Input):
    """`digest`: of the plan that was shown. `transfer`: the member who gets each project (its id: a
    user name). `seen`: of `since_preview`, where other people lose more than the preview said.
    """

    digest: Annotated[
        Text,
        Field(max_length=200),
        describe("Of the plan that was shown: send it back.", "5f2d6f0c9a0e"),
    ]
    transfer: Annotated[
        dict[Id, Name],
        Field(max_length=LONGEST_TRANSFER),
        describe("Which member gets which project: its id, and a user name.", {ID: "bela"}),
    ] = {}
    seen: Annotated[
        Text,
        Field(max_length=200),
        describe("The `since_preview` that you were shown: send it back. Empty: you saw none.", ""),
    ] = ""


class Skipping(Input):
    """The reason to skip a step; it stays with the plan."""

    reason: Annotated[
        Text,
        Field(max_length=2000),
        describe("Why the step is left out.", "The notebook hub was switched off for good."),
    ]


class DoneByHand(Input):
    """The work done instead of the step; it stays with the plan."""

    note: Annotated[
        Text,
        Field(max_length=2000),
        describe("What was done instead.", "Deleted the account in the hub's own pages."),
    ]


@router.get("", response=ListPage[PlanPreviewView], summary="List plans, newest first")
def list_(request: HttpRequest, window: Query[PlansAsked]) -> dict[str, Any]:
    """Administrators see all plans. Others see the plans of their own things, and those they
    ordered.
    """
    rows = visible(person_of(request)).filter(belongs_to=None)
    return list_page(rows, window, PLANS, lambda plans: list(map(_full, view_plans(plans))))


@router.get("/{plan_id}", response=PlanPreviewView, summary="Show one plan", url_name="plan")
def show(request: HttpRequest, plan_id: uuid.UUID) -> PlanPreviewView:
    """With every step, its evidence, and its reason to wait."""
    return previewed(visible(person_of(request)).get(id=plan_id))


def render_plan(plan: Plan) -> PlanPreviewView:
    """Return the view of a plan."""
    return _full(view_plan(plan))


def previewed(plan: Plan) -> PlanPreviewView:
    """Return the view of a plan; a draft's systems are checked again."""
    return preview_plan(plan, connected_systems())


def _full(view: PlanView) -> PlanPreviewView:
    return PlanPreviewView(**vars(view))


def visible(person: Person) -> QuerySet[Plan]:
    """Return all plans for administrators. For others, return those of their own things, and those
    they ordered by a permission.
    """
    if person.is_administrator:
        return Plan.objects.all()
    own = [kind.name for kind in PLAN_KINDS.values() if kind.owner_sees]
    ordered = Q(created_by=person.username, created_at__gte=person.created_at)
    return Plan.objects.filter(Q(subject=str(person.id)) | ordered, kind__in=own)


@router.post(
    "/{plan_id}/approve",
    auth=administrator,
    response={202: PlanPreviewView},
    summary="Approve",
    openapi_extra=says(409),
)
def approve(request: HttpRequest, plan_id: uuid.UUID, body: Approval) -> PlanPreviewView:
    """Starts a plan exactly as it was shown. A repetition with the same digest, while the plan
    runs, changes nothing.
    """
    actor = person_of(request).username
    if Plan.objects.get(id=plan_id).kind in REPAIRS:
        return render_plan(repairs.approve(plan_id, digest=body.digest, actor=actor))
    plan = Plan.objects.get(id=plan_id)
    if plan.kind == left_account.KIND:
        return render_plan(left_account.approve_left(plan, digest=body.digest, actor=actor))
    plan = approve_removal(
        plan_id,
        digest=body.digest,
        actor=actor,
        systems=connected_systems(),
        transfer=body.transfer,
        seen=body.seen,
    )
    return render_plan(plan)


@router.post(
    "/{plan_id}/left-account",
    auth=administrator,
    response={201: PlanPreviewView},
    summary="Draft the removal of an account that a removal left",
    openapi_extra=says(409),
)
def draft_left(request: HttpRequest, plan_id: uuid.UUID) -> PlanPreviewView:
    """Makes the plan that removes an account with the manager's mark at the identity provider that
    was never linked. You approve it like a removal.
    """
    plan = Plan.objects.get(id=plan_id)
    actor = person_of(request).username
    made = left_account.draft_left(plan, actor=actor, systems=connected_systems())
    await_looks(made)
    return render_plan(made)


@router.post(
    "/{plan_id}/steps/{n}/retry",
    auth=administrator,
    response=PlanPreviewView,
    summary="Try a step again",
    openapi_extra=says(409),
)
def retry(request: HttpRequest, plan_id: uuid.UUID, n: StepNumber) -> PlanPreviewView:
    """Retries a waiting or stuck step now."""
    plan = _step_of(plan_id, n)
    actions.retry(plan, n, actor=person_of(request).username)
    return _goes_on(plan)


@router.post(
    "/{plan_id}/steps/{n}/skip",
    auth=administrator,
    response=PlanPreviewView,
    summary="Skip a step",
    openapi_extra=says(409),
)
def skip(
    request: HttpRequest, plan_id: uuid.UUID, n: StepNumber, body: Skipping
) -> PlanPreviewView:
    """Leaves a step out for good. What it would have removed stays, and the plan says so."""
    plan = _step_of(plan_id, n)
    actions.skip(plan, n, actor=person_of(request).username, reason=body.reason)
    return _goes_on(plan)


@router.post(
    "/{plan_id}/steps/{n}/by-hand",
    auth=administrator,
    response=PlanPreviewView,
    summary="Note a step as done by hand",
    openapi_extra=says(409),
)
def by_hand(
    request: HttpRequest, plan_id: uuid.UUID, n: StepNumber, body: DoneByHand
) -> PlanPreviewView:
    """Records that somebody did the step by hand."""
    plan = _step_of(plan_id, n)
    actions.by_hand(plan, n, actor=person_of(request).username, note=body.note)
    return _goes_on(plan)


def _step_of(plan_id: uuid.UUID, n: int) -> Plan:
    """Return the plan. Raises DoesNotExist without such a plan or such a step."""
    return PlanStep.objects.select_related("plan").get(plan_id=plan_id, n=n).plan


def _goes_on(plan: Plan) -> PlanPreviewView:
    plan.refresh_from_db()
    return render_plan(plan)
