"""`/people`: the people, and their removal (docs/explanation/removal.md)."""

from collections.abc import Callable
from datetime import UTC
from functools import partial
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.core.refusal import Forbidden
from workspace_manager.engine.preview import await_looks
from workspace_manager.people import end_dates
from workspace_manager.people import suspend as suspending
from workspace_manager.people.everybody import PeopleList, coming_as
from workspace_manager.people.everybody_views import view_coming, view_everybody, view_person
from workspace_manager.people.filters import GROUPS, HERE
from workspace_manager.people.person_views import ComingView, EverybodyView, PersonView
from workspace_manager.people.suspension_terms import LONGEST_REASON, UNCHANGED, Terms, read_until
from workspace_manager.people.suspension_view import SuspensionView, suspension_view
from workspace_manager.plan_kinds import PlanPreviewView
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal import draft
from workspace_manager.web.api.auth import administrator, person_of, signed_in
from workspace_manager.web.api.inputs import Input, Name, Text
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.people_query import PeopleAsked
from workspace_manager.web.api.plans import previewed, render_plan
from workspace_manager.web.api.responses import ListPage, located
from workspace_manager.web.messages import message
from workspace_manager.wiring import connected_systems

router = Router(auth=signed_in)


class RemovalWanted(Input):
    """Options of a removal."""

    remove_adopted: Annotated[
        bool,
        describe(
            "Whether accounts that existed before, and that a take-over gave to the person, are "
            "deleted too. Else their access is ended and they are kept."
        ),
    ] = False


class SuspensionTerms(Input):
    """Reason and end: a moment (`2026-12-31T08:00:00+01:00`), or a date, which is its first minute
    in UTC. `until: null`: without an end. For a suspended person, members left out stay as they
    are.
    """

    reason: Annotated[
        Annotated[Text, Field(max_length=LONGEST_REASON)] | None,
        describe("Why; people who look at it later read it.", "Exchange semester"),
    ] = None
    until: Annotated[
        Annotated[Text, Field(max_length=40)] | None,
        describe(
            "When it ends by itself: a moment, or a date (its first minute in UTC). Null: never.",
            "2026-12-31T08:00:00+01:00",
        ),
    ] = None


class EndDate(Input):
    """The person's last day; null for none."""

    until: Annotated[
        Annotated[Text, Field(max_length=40)] | None,
        describe("The last day on which the person may come in; null: none.", "2026-12-31"),
    ]


@router.get("", response=ListPage[EverybodyView], summary="List people")
def list_(request: HttpRequest, window: Query[PeopleAsked]) -> dict[str, Any]:
    """Administrators see everybody, others themselves. Without `state`: the people who are here.
    Only administrators see applicants, approved people and former members.
    """
    me = person_of(request)
    asked = window.asked()
    here = asked.filters["state"] in {HERE, *GROUPS[HERE]}
    if not here and not me.is_administrator:
        raise Forbidden(message("administrators_only"))
    found = PeopleList(asked, here=_visible(me))
    shown = found[window.offset : window.offset + window.limit]
    return {"items": view_everybody(shown), "count": found.count()}


@router.get("/{username}", response=PersonView | ComingView, summary="Show one person")
def show(request: HttpRequest, username: Name) -> PersonView | ComingView:
    """Administrators see present people, approved people and applicants; others see themselves.
    Former members: `GET /people?state=former&q=…`.
    """
    me = person_of(request)
    asked = None
    person = _visible(me).filter(username=username).first()
    if person is None and me.is_administrator:
        asked = coming_as(username)
    if asked is not None:
        return view_coming([asked])[0]
    if person is None:
        raise Person.DoesNotExist(username)
    return view_person(person)


def _visible(me: Person) -> QuerySet[Person]:
    return Person.objects.all() if me.is_administrator else Person.objects.filter(id=me.id)


@router.post(
    "/{username}/removal",
    auth=administrator,
    response={201: PlanPreviewView},
    summary="Draft a removal",
    openapi_extra=says(409),
)
def draft_removal(
    request: HttpRequest,
    response: HttpResponse,
    username: Name,
    body: RemovalWanted | None = None,
) -> PlanPreviewView:
    """Makes a plan to read; an earlier draft becomes stale. Nothing happens to the person before
    you approve the plan.
    """
    plan = draft.draft_removal(
        username,
        actor=person_of(request).username,
        systems=connected_systems(),
        remove_adopted=body is not None and body.remove_adopted,
    )
    await_looks(plan)
    located(response, "plan", plan_id=plan.id)
    return previewed(plan)


@router.get(
    "/{username}/suspension",
    auth=administrator,
    response=SuspensionView,
    summary="Preview a suspension, or show it",
)
def suspension(request: HttpRequest, username: Name) -> SuspensionView:
    """Reads only records; nothing is stored and no system is called."""
    me = person_of(request)
    return suspension_view(username, connected_systems(), actor=me.username)


@router.post(
    "/{username}/suspend",
    auth=administrator,
    response={202: PlanPreviewView},
    summary="Suspend somebody",
    openapi_extra=says(409),
)
def suspend(
    request: HttpRequest,
    response: HttpResponse,
    username: Name,
    body: SuspensionTerms | None = None,
) -> PlanPreviewView:
    """Shuts a person out now. A plan shuts every credential in the other systems and changes none.

    API tokens are revoked. If the person is already suspended, `reason` and `until` change the
    suspension and all access is blocked again; without them the answer is 409.
    """
    terms = _terms(body) if body else UNCHANGED
    return _ordered(partial(suspending.suspend, terms=terms), request, response, username)


def _terms(body: SuspensionTerms) -> Terms:
    """Return the terms of a suspension. Raises BadInput."""
    said = "until" in body.model_fields_set
    until = read_until(body.until, UTC) if body.until is not None else None
    return Terms(body.reason, until, endless=said and until is None)


@router.post(
    "/{username}/resume",
    auth=administrator,
    response={202: PlanPreviewView},
    summary="Let somebody back in",
    openapi_extra=says(409),
)
def resume(request: HttpRequest, response: HttpResponse, username: Name) -> PlanPreviewView:
    """Undoes what the suspension changed."""
    return _ordered(suspending.resume, request, response, username)


@router.put(
    "/{username}/end-date",
    auth=administrator,
    response=PersonView,
    summary="Set the last day of somebody",
    openapi_extra=says(409),
)
def set_end_date(request: HttpRequest, username: Name, body: EndDate) -> PersonView:
    """After that day (UTC) the person is suspended, once; nothing is removed automatically.
    Administrators are told two weeks before.
    """
    until = end_dates.read_day(body.until) if body.until is not None else None
    return view_person(end_dates.set_end(username, until, actor=person_of(request).username))


def _ordered(
    story: Callable[..., Plan], request: HttpRequest, response: HttpResponse, username: str
) -> PlanPreviewView:
    plan = story(username, actor=person_of(request).username, systems=connected_systems())
    located(response, "plan", plan_id=plan.id)
    return render_plan(plan)
