"""`/people`: who is here, and letting them go (docs/explanation/removal.md)."""

from collections.abc import Callable
from datetime import UTC
from functools import partial
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import BaseModel, Field

from workspace_manager.contract.described import UserName, Uuid, When, about
from workspace_manager.core.refusal import Forbidden
from workspace_manager.engine.preview import await_looks
from workspace_manager.people import end_dates
from workspace_manager.people import suspend as suspending
from workspace_manager.people.documents import FORMER, of_former, of_people, of_person
from workspace_manager.people.filters import PEOPLE
from workspace_manager.people.suspension_terms import LONGEST_REASON, UNCHANGED, Terms, read_until
from workspace_manager.people.suspension_view import SuspensionView, suspension_view
from workspace_manager.records.models import Person, Plan, Tombstone
from workspace_manager.removal import draft
from workspace_manager.web.api.auth import administrator, person_of, signed_in
from workspace_manager.web.api.inputs import Input, Name, Text
from workspace_manager.web.api.lists import listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.people_asked import PeopleAsked
from workspace_manager.web.api.plans import PlanShown, previewed, rendered
from workspace_manager.web.api.shown import AccountShown, Listed, located
from workspace_manager.web.messages import message
from workspace_manager.web.pages.translate import in_readers_language
from workspace_manager.wiring import connected_systems

router = Router(auth=signed_in)


class AccountSeen(AccountShown):
    """An account as recorded, and when it was last seen."""

    seen_at: Annotated[When, about("When a look last showed the account.")]


class RemovalWanted(Input):
    """What a removal deletes besides what the manager made."""

    remove_adopted: Annotated[
        bool,
        about(
            "Whether accounts that existed before, and that a take-over gave to the person, are "
            "deleted too. Else their access is ended and they are kept."
        ),
    ] = False


class SuspensionTerms(Input):
    """Why, and until when: a moment (`2026-12-31T08:00:00+01:00`), or a date, which is its first
    minute in UTC. `until: null`: without an end. Of somebody who is suspended already, what is
    left out stays.
    """

    reason: Annotated[
        Annotated[Text, Field(max_length=LONGEST_REASON)] | None,
        about("Why, for whoever looks at it later.", "Exchange semester"),
    ] = None
    until: Annotated[
        Annotated[Text, Field(max_length=40)] | None,
        about(
            "When it ends by itself: a moment, or a date (its first minute in UTC). Null: never.",
            "2026-12-31T08:00:00+01:00",
        ),
    ] = None


class EndDate(Input):
    """Which day is somebody's last here; null: there is none."""

    until: Annotated[
        Annotated[Text, Field(max_length=40)] | None,
        about("The last day on which the person may come in; null: none.", "2026-12-31"),
    ]


class SuspensionShown(SuspensionView):
    """What suspending this person does; of somebody who is suspended, since when and why, and what
    letting back in gives back. Its parts may gain members.
    """


class Standing(BaseModel):
    """What the identity provider last said of somebody: `enabled`, `disabled` or `gone`, since
    when, and when it was asked last.
    """

    state: Annotated[str, about("What was said.", "enabled")]
    since: Annotated[When, about("Since when it says so.")]
    asked_at: Annotated[When, about("When it was asked last.")]


class PersonShown(BaseModel):
    """Somebody who signed in at least once. `sub`: the user id at the identity provider, if the
    account is linked.

    `at_identity_provider` is null for who was not asked for yet. Who is `gone` there keeps
    everything here until somebody removes them: a removal is offered, and none is begun.
    """

    former: Annotated[Literal[False], about("Always false: this person is here.")]
    username: Annotated[UserName, about("The name the person signs in with; addresses use it.")]
    email: Annotated[
        str, about("The address, as the identity provider knows it.", "anna@example.org")
    ]
    email_confirmed: Annotated[
        bool,
        about(
            "Whether the identity provider called the address confirmed at the last sign-in; "
            "else anybody may have written it.",
        ),
    ]
    first_name: Annotated[str, about("The given name.", "Anna")]
    last_name: Annotated[str, about("The family name.", "Beispiel")]
    sub: Annotated[
        str | None,
        about(
            "The user id at the identity provider, if the account is linked.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]
    at_identity_provider: Annotated[
        Standing | None, about("What the identity provider last said; null before it was asked.")
    ]
    role: Annotated[str, about("`user` or `administrator`.", "user")]
    permissions: Annotated[
        list[str],
        about("What the person was given besides the role and has not ended.", ["view_components"]),
    ]
    locale: Annotated[str, about("The language of letters and pages.", "de")]
    timezone: Annotated[str, about("The zone in which times are shown.", "Europe/Berlin")]
    state: Annotated[str, about("`active`, `suspended` or `leaving`.", "active")]
    last_sign_in: Annotated[When | None, about("When the person last signed in.")]
    ends_at: Annotated[
        str | None,
        about("The last day on which the person may come in; null: nobody said.", "2026-12-31"),
    ]
    accounts: Annotated[
        list[AccountSeen], about("The accounts that are recorded, in every system.")
    ]


class FormerShown(BaseModel):
    """Somebody who left. `plan`: the removal, whose steps prove what was done."""

    former: Annotated[Literal[True], about("Always true: this person left.")]
    username: Annotated[UserName, about("The name the person signed in with.")]
    sub: Annotated[
        str | None,
        about(
            "The user id the person had at the identity provider.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]
    left_at: Annotated[When, about("When the removal was done.")]
    plan: Annotated[Uuid | None, about("The id of the removal's plan.")]


@router.get("", response=Listed[PersonShown | FormerShown], summary="List people")
def list_(request: HttpRequest, window: Query[PeopleAsked]) -> dict[str, Any]:
    """Administrators see everybody, others themselves. With `former=true`: those who left, for
    administrators alone.
    """
    me = person_of(request)
    if not window.former:
        return listed(_visible(me), window, PEOPLE, of_people)
    if not me.is_administrator:
        raise Forbidden(message("administrators_only"))
    rows = Tombstone.objects.all()
    left = rows if window.finds_former else rows.none()
    return listed(left, window, FORMER, of_former)


@router.get("/{username}", response=PersonShown, summary="Show one person")
def show(request: HttpRequest, username: Name) -> dict[str, Any]:
    """Administrators see everybody, others themselves."""
    return of_person(_visible(person_of(request)).get(username=username))


def _visible(me: Person) -> QuerySet[Person]:
    return Person.objects.all() if me.is_administrator else Person.objects.filter(id=me.id)


@router.post(
    "/{username}/removal",
    auth=administrator,
    response={201: PlanShown},
    summary="Draft a removal",
    openapi_extra=says(409),
)
def draft_removal(
    request: HttpRequest,
    response: HttpResponse,
    username: Name,
    body: RemovalWanted | None = None,
) -> PlanShown:
    """Make a plan to look at; an earlier draft becomes stale. Nothing happens to the person before
    the plan is approved.
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
    response=SuspensionShown,
    summary="Preview a suspension, or show it",
)
def suspension(request: HttpRequest, username: Name) -> SuspensionShown:
    """Looks at records alone; nothing is stored and no system is called."""
    me = person_of(request)
    view = suspension_view(username, connected_systems(), actor=me.username)
    return SuspensionShown(**in_readers_language(view.model_dump()))


@router.post(
    "/{username}/suspend",
    auth=administrator,
    response={202: PlanShown},
    summary="Suspend somebody",
    openapi_extra=says(409),
)
def suspend(
    request: HttpRequest,
    response: HttpResponse,
    username: Name,
    body: SuspensionTerms | None = None,
) -> PlanShown:
    """Shut somebody out now; a plan shuts every credential in the other systems and changes none.

    API tokens end for good. Somebody who is suspended already: with `reason` or `until` these are
    changed and everything is shut anew, else 409.
    """
    terms = _terms(body) if body else UNCHANGED
    return _ordered(partial(suspending.suspend, terms=terms), request, response, username)


def _terms(body: SuspensionTerms) -> Terms:
    """Raises BadInput."""
    said = "until" in body.model_fields_set
    until = read_until(body.until, UTC) if body.until is not None else None
    return Terms(body.reason, until, endless=said and until is None)


@router.post(
    "/{username}/resume",
    auth=administrator,
    response={202: PlanShown},
    summary="Let somebody back in",
    openapi_extra=says(409),
)
def resume(request: HttpRequest, response: HttpResponse, username: Name) -> PlanShown:
    """Undo what a suspension changed."""
    return _ordered(suspending.resume, request, response, username)


@router.put(
    "/{username}/end-date",
    auth=administrator,
    response=PersonShown,
    summary="Set the last day of somebody",
    openapi_extra=says(409),
)
def set_end_date(request: HttpRequest, username: Name, body: EndDate) -> dict[str, Any]:
    """When that day (of UTC) is over the person is suspended, once; nothing is removed by
    itself. Administrators are told two weeks before.
    """
    until = end_dates.read_day(body.until) if body.until is not None else None
    return of_person(end_dates.set_end(username, until, actor=person_of(request).username))


def _ordered(
    story: Callable[..., Plan], request: HttpRequest, response: HttpResponse, username: str
) -> PlanShown:
    plan = story(username, actor=person_of(request).username, systems=connected_systems())
    located(response, "plan", plan_id=plan.id)
    return rendered(plan)
