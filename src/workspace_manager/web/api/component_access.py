"""`/components/{id}`: the caller's access to a component, and whether it works now."""

import uuid
from typing import Annotated, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router
from pydantic import BeforeValidator, Field

from workspace_manager.accounts import public_read, reader_access
from workspace_manager.contract.member_description import Uuid, When, describe
from workspace_manager.core.views import SAID, CodedMessage, View, as_data
from workspace_manager.operations.system_views import FindingView, view_finding
from workspace_manager.records.models import Component, Person
from workspace_manager.web.api.auth import person_of, refuse_unless_owner, signed_in
from workspace_manager.web.api.openapi import says
from workspace_manager.web.pages import snippets, visible
from workspace_manager.wiring import connected_systems
from workspace_manager.work import connection_test

router = Router(auth=signed_in)


class SnippetView(View):
    """One way to connect, to copy; without a secret."""

    name: Annotated[str, describe("Which way it is.", "shell")]
    title: Annotated[str, describe("What people read.", "Command line")]
    text: Annotated[
        str, describe("What is copied.", "mariadb -h sql.example.org -P 3306 -u anna -p ws_notes")
    ]


class OwnKeyView(View):
    """The caller's key to the component."""

    id: Annotated[Uuid, describe("The id of the key, as under `/service-keys`.")]
    state: Annotated[
        Literal["to_reveal", "revealed"],
        Field(validation_alias="secret"),
        BeforeValidator(lambda secret: "revealed" if secret is None else "to_reveal"),
        describe(
            "Whether it can still be shown, once; a revealed one is renewed to see a new one."
        ),
    ]


class AccessView(View):
    """The caller's access to a component, with an account of their own."""

    account: Annotated[str, describe("One’s account there; empty while there is none.", "anna")]
    level: Annotated[
        Literal["", "read", "write"],
        describe("What you may do in its system; `write` includes reading, empty is nothing."),
    ]
    why: Annotated[str, SAID, describe("Why it is so.", "You own it and have full access.")]
    why_message: Annotated[CodedMessage, as_data("why")]
    key: Annotated[
        OwnKeyView | None, describe("One’s key of that system; null while there is none.")
    ]
    snippets: Annotated[list[SnippetView], describe("How to connect with one’s own account.")]


class ConnectionTestView(View):
    """Results of a connection test."""

    state: Annotated[
        Literal["ok", "warning", "failing"], describe("The worst that was found.", "ok")
    ]
    tested_at: Annotated[When, describe("When it was tested.")]
    findings: Annotated[list[FindingView], describe("What was looked at, and how it stands.")]
    untried: Annotated[str, SAID, describe("What was not tested.", "Your password was not tried.")]
    untried_message: Annotated[CodedMessage, as_data("untried")]


def find(person: Person, component: Component) -> AccessView:
    """Return the member `access` of a component for this person."""
    found = reader_access.find_access(person, component)
    return AccessView.from_row(found, snippets=snippets.of_reader(component, found))


class PublicReadView(View):
    """Public data of a repository, or data that would be public."""

    public_read: Annotated[bool, describe("Whether everybody may read it now.", False)]
    possible: Annotated[bool, describe("Whether its store can open a single repository.", True)]
    statements: Annotated[
        int | None, describe("How many statements that are; null if not counted now.", 1200)
    ]
    graphs: Annotated[int | None, describe("In how many named graphs; null if not counted now.", 3)]
    warning: Annotated[
        str,
        SAID,
        describe(
            "What the world sees, or why it cannot be opened.",
            "The whole world will be able to read all 1200 statements in 3 named graphs.",
        ),
    ]
    warning_message: Annotated[CodedMessage, as_data("warning")]


@router.get(
    "/{component_id}/public-read",
    response=PublicReadView,
    summary="Look what everybody would read of a component",
    openapi_extra=says(409),
)
def look_at_public_read(request: HttpRequest, component_id: uuid.UUID) -> PublicReadView:
    """For people who may publish the repository: read it before you change `public_read`."""
    person = person_of(request)
    component = visible.components(person).get(id=component_id)
    refuse_unless_owner(person, component)
    found = public_read.preview(component, connected_systems())
    return PublicReadView.from_row(
        found,
        possible=found.impossible is None,
        warning=found.impossible or public_read.warning(found),
    )


@router.post(
    "/{component_id}/test",
    response=ConnectionTestView,
    summary="Test the connection of a component",
    openapi_extra=says(409, 503),
)
def test(request: HttpRequest, component_id: uuid.UUID) -> ConnectionTestView:
    """Checks whether the system answers, and whether the caller's account exists, is not locked,
    and has its rights. For people who may use or change the component. Changes nothing.
    """
    person = person_of(request)
    component = visible.components(person).get(id=component_id)
    findings = connection_test.test(component, person, connected_systems())
    return ConnectionTestView(
        state=connection_test.worst_severity(findings),
        tested_at=timezone.now(),
        findings=list(map(view_finding, findings)),
        untried=connection_test.UNTRIED,
        untried_message=connection_test.UNTRIED,
    )
