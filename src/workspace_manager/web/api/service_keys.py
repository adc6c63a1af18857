"""`/service-keys`: a person's own credentials in the systems, and those of the person's programs,
each revealed once. Nobody else sees them, not even administrators.

See docs/explanation/components.md#service-keys.
"""

import uuid
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.debug import sensitive_variables
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.accounts import keys, renewal
from workspace_manager.accounts.key_views import KeyView, view_key, view_keys
from workspace_manager.accounts.listings import KEYS
from workspace_manager.contract.member_description import ID, describe
from workspace_manager.core.refusal import BadInput
from workspace_manager.records.models import ServiceKey
from workspace_manager.web.api.auth import (
    person_of,
    refuse_unless_owner,
    refuse_unread,
    shown_a_secret,
    signed_in,
)
from workspace_manager.web.api.inputs import Id, Input, Label
from workspace_manager.web.api.lists import ListAsked, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage, Ordered, located
from workspace_manager.web.messages import message
from workspace_manager.web.pages import visible
from workspace_manager.wiring import connected_systems

router = Router(auth=signed_in)


class KeysAsked(ListAsked, of=KEYS):
    """Filters and order of the list of keys."""


class NewKey(Input):
    """The component and the purpose of a machine key."""

    component: Annotated[Id, describe("The component that it opens (its id).", ID)]
    purpose: Annotated[
        Label, describe("Which program uses it; one key for each purpose.", "Nightly import")
    ]


class KeyChange(Input):
    """A new name for people."""

    label: Annotated[Label, describe("What people call it from now on.", "My triplestore")]


class KeyOrdered(Ordered):
    """The answer to an ordered key. The plan that makes its account runs by itself."""

    key: Annotated[KeyView, describe("The key as it stands now.")]


class Revealed(BaseModel):
    """The secret, shown once."""

    secret: Annotated[
        str, describe("The secret, which is not kept here any more.", "EXAMPLE-secret")
    ]


@router.get("", response=ListPage[KeyView], summary="List your service keys")
def list_(request: HttpRequest, window: Query[KeysAsked]) -> dict[str, Any]:
    """A personal key comes with your first component in a system. You make machine keys."""
    return list_page(own(request), window, KEYS, view_keys)


@router.post("", response={202: KeyOrdered}, summary="Make a machine key", openapi_extra=says(409))
def create(request: HttpRequest, response: HttpResponse, body: NewKey) -> dict[str, Any]:
    """For the owner of the component. Makes an account that may use this component and nothing
    else.
    """
    person = person_of(request)
    component = visible.components(person).filter(id=body.component).first()
    if component is None:
        raise BadInput({"component": message("no_such_component")})
    refuse_unless_owner(person, component)
    key, plan = keys.create(
        component, body.purpose, actor=person.username, systems=connected_systems()
    )
    located(response, "service_key", key_id=key.id)
    return {"plan": str(plan.id), "key": view_key(key)}


@router.get("/{key_id}", response=KeyView, summary="Show one service key", url_name="service_key")
def show(request: HttpRequest, key_id: uuid.UUID) -> KeyView:
    return view_key(own(request).get(id=key_id))


@router.patch(
    "/{key_id}", response=KeyView, summary="Rename a service key", openapi_extra=says(409)
)
def change(request: HttpRequest, key_id: uuid.UUID, body: KeyChange) -> KeyView:
    """The label is for people; the account keeps its name."""
    key = own(request).get(id=key_id)
    return view_key(keys.rename(key, body.label, by=person_of(request)))


@router.post(
    "/{key_id}/renew",
    response={202: Ordered},
    summary="Renew a service key",
    openapi_extra=says(409),
)
def renew(request: HttpRequest, key_id: uuid.UUID) -> dict[str, Any]:
    """Sets a new secret wherever it is used. The old one stops working; the new one can be revealed
    once.
    """
    plan = renewal.renew(
        own(request).get(id=key_id),
        actor=person_of(request).username,
        systems=connected_systems(),
    )
    return {"plan": str(plan.id)}


@router.delete(
    "/{key_id}", response={202: Ordered}, summary="Delete a machine key", openapi_extra=says(409)
)
def delete(request: HttpRequest, key_id: uuid.UUID) -> dict[str, Any]:
    """Deletes its account with all its rights. A personal key cannot be deleted alone: it goes with
    your account there.
    """
    plan = keys.delete(
        own(request).get(id=key_id),
        actor=person_of(request).username,
        systems=connected_systems(),
    )
    return {"plan": str(plan.id)}


@router.get(
    "/{key_id}/reveal",
    auth=shown_a_secret,
    response=Revealed,
    summary="Reveal a service key, once",
    openapi_extra=says(409),
)
@sensitive_variables()
def reveal(request: HttpRequest, response: HttpResponse, key_id: uuid.UUID) -> dict[str, Any]:
    """The secret is then deleted here."""
    refuse_unread(request)
    secret = keys.reveal(own(request).get(id=key_id), by=person_of(request))
    response.headers["Cache-Control"] = "no-store"
    # Only here does the API show a stored secret, and only to its owner, who asked for it.
    return {"secret": secret.reveal()}


def own(request: HttpRequest) -> QuerySet[ServiceKey]:
    """Return the caller's keys."""
    return ServiceKey.objects.filter(owner=person_of(request)).select_related("owner")
