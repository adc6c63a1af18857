"""`/registrations`: everybody may ask to join; administrators and holders of the permission decide.

See docs/explanation/registration.md.
"""

import uuid
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.member_description import Uuid, describe
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import Refused
from workspace_manager.people import approve as story
from workspace_manager.people import confirm_email
from workspace_manager.people import withdraw as withdrawing
from workspace_manager.people.register import RegistrationInput
from workspace_manager.people.register import register as ask_to_join
from workspace_manager.people.registration_views import (
    REGISTRATIONS,
    RegistrationStatus,
    RegistrationView,
    view_registration,
    view_registrations,
)
from workspace_manager.records.models import Registration
from workspace_manager.web.api.auth import administrator, anyone, deciding_registrations, person_of
from workspace_manager.web.api.inputs import Input, Text
from workspace_manager.web.api.lists import ListAsked, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.problems import problem
from workspace_manager.web.api.responses import ListPage
from workspace_manager.web.messages import message
from workspace_manager.web.rate import allow
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)


class RegistrationsAsked(ListAsked, of=REGISTRATIONS):
    """Filters and order of the list of registrations."""


class NewRegistration(Input):
    """The form. The password is taken exactly as typed."""

    username: Annotated[
        Text,
        Field(max_length=255),
        describe("The name to sign in with. It is never changed later.", "dora"),
    ]
    email: Annotated[
        Text,
        Field(max_length=254),
        describe("Where the link that confirms the address is sent.", "dora@example.org"),
    ]
    first_name: Annotated[Text, Field(max_length=255), describe("The given name.", "Dora")]
    last_name: Annotated[Text, Field(max_length=255), describe("The family name.", "Beispiel")]
    password: Annotated[
        Text,
        Field(max_length=1024),
        describe(
            "Kept as a hash until somebody decides, then handed over and erased.",
            "correct horse battery staple",
        ),
    ]
    locale: Annotated[
        Text, Field(max_length=20), describe("The language of e-mails and pages.", "de")
    ] = "en"
    timezone: Annotated[
        Text, Field(max_length=60), describe("The zone in which times are shown.", "Europe/Berlin")
    ] = "UTC"


class Rejection(Input):
    """Reason of the rejection; the applicant gets it by e-mail."""

    reason: Annotated[
        Text,
        Field(min_length=1, max_length=1000),
        describe("What the applicant is told.", "The course is full."),
    ]


class ReceivedRegistration(BaseModel):
    """The answer to every registration: it does not tell whether a name is taken."""

    status: Annotated[Literal["pending"], describe("What everybody is answered.")]


class WithdrawalBegun(BaseModel):
    """The approval is void, and a plan removes the user."""

    plan: Annotated[Uuid, describe("The plan that removes it.")]


class DecidedRegistration(BaseModel):
    """The state of a registration, and the user id at the identity provider if there is one."""

    status: Annotated[RegistrationStatus, describe("How the registration stands now.")]
    sub: Annotated[
        str | None,
        describe(
            "The user id at the identity provider, once there is one.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]


@router.post(
    "",
    auth=anyone,
    response={202: ReceivedRegistration},
    summary="Ask to join",
    openapi_extra=says(429),
)
def ask(request: HttpRequest, body: NewRegistration) -> Any:
    """Stores a registration for an administrator to decide. The answer is the same whether or not
    the name is taken.
    """
    wait = allow(request, "registration")
    if wait is not None:
        return too_often(wait)
    ask_to_join(RegistrationInput(**body.model_dump()))
    return Status(202, {"status": "pending"})


def too_often(seconds: int) -> HttpResponse:
    """Answer 429 with the time of the next attempt."""
    text = message("too_many_registrations", count=max(1, seconds // 60))
    return problem(429, text, headers={"Retry-After": str(seconds)})


@router.get(
    "",
    auth=deciding_registrations,
    response=ListPage[RegistrationView],
    summary="List registrations, oldest first",
)
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[RegistrationsAsked],
) -> dict[str, Any]:
    """Registrations in every state."""
    return list_page(Registration.objects.all(), window, REGISTRATIONS, view_registrations)


@router.get(
    "/{registration_id}",
    auth=deciding_registrations,
    response=RegistrationView,
    summary="Show one registration",
)
def show(request: HttpRequest, registration_id: uuid.UUID) -> RegistrationView:  # noqa: ARG001
    return view_registration(Registration.objects.get(id=registration_id))


@router.post(
    "/{registration_id}/approve",
    auth=deciding_registrations,
    response=DecidedRegistration,
    summary="Approve",
    openapi_extra=says(409, 502),
)
def approve(request: HttpRequest, registration_id: uuid.UUID) -> dict[str, Any]:
    """Creates the user at the identity provider and nothing else. If that fails, the registration
    stays pending. Only administrators decide about a name that was announced as an administrator's
    (409).
    """
    actor = person_of(request).username
    try:
        registration = story.approve(registration_id, actor=actor, systems=connected_systems())
    except Conflict as taken:
        raise Refused(
            of_core("with_advice", why=taken.message, advice=taken.advice_message)
        ) from taken
    return _decision_members(registration)


@router.post(
    "/{registration_id}/reject",
    auth=deciding_registrations,
    response=DecidedRegistration,
    summary="Reject",
    openapi_extra=says(409),
)
def reject(request: HttpRequest, registration_id: uuid.UUID, body: Rejection) -> dict[str, Any]:
    """Erases the hash of the password, and tells the applicant why."""
    actor = person_of(request).username
    registration = story.reject(registration_id, actor=actor, reason=body.reason)
    return _decision_members(registration)


@router.post(
    "/{registration_id}/withdraw",
    response={202: WithdrawalBegun},
    summary="Withdraw",
    openapi_extra=says(409),
)
def withdraw(request: HttpRequest, registration_id: uuid.UUID) -> Status[dict[str, Any]]:
    """Takes an approval back, even after a sign-in with it: a plan removes the person."""
    actor = person_of(request).username
    plan = withdrawing.withdraw(registration_id, actor=actor, systems=connected_systems())
    return Status(202, {"plan": str(plan.id)})


@router.post(
    "/{registration_id}/confirmation",
    response=RegistrationView,
    summary="Send the link that confirms the address again",
    openapi_extra=says(409),
)
def send_link(request: HttpRequest, registration_id: uuid.UUID) -> RegistrationView:
    """For a lost or late e-mail. An earlier link stops working."""
    registration = confirm_email.send_again(registration_id, actor=person_of(request).username)
    return view_registration(registration)


def _decision_members(registration: Registration) -> dict[str, Any]:
    return {"status": registration.status, "sub": registration.sub or None}
