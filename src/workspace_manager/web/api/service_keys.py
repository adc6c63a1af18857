"""`/service-keys`: a person's own credentials in the systems, each revealed once. They are nobody
else's, not even administrators'.
"""

import uuid
from typing import Annotated, Any, Final, Literal

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.debug import sensitive_variables
from ninja import Query, Router
from pydantic import AfterValidator, BaseModel, Field

from workspace_manager.contract.described import UserName, Uuid, When, about
from workspace_manager.core.listing import Listing
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import ServiceKey
from workspace_manager.systems import registry
from workspace_manager.web.api.auth import person_of, refuse_unread, shown_a_secret, signed_in
from workspace_manager.web.api.inputs import Input, Label, Text
from workspace_manager.web.api.lists import SORTED, ListAsked, each, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed, Ordered, not_offered
from workspace_manager.web.messages import message
from workspace_manager.work import keys

router = Router(auth=signed_in)


LIST: Final = Listing(searched=("label", "account", "system"), order=("created_at",))


def _installed(system: str) -> str:
    names = registry().names()
    if system not in names:
        raise ValueError(f"There is no such system. There are: {', '.join(names)}.")
    return system


class KeysAsked(ListAsked):
    """Which keys."""

    system: Annotated[
        Annotated[Text, Field(max_length=60), AfterValidator(_installed)] | None,
        about("Only keys of this system.", "triplestore"),
    ] = None
    sort: Annotated[
        Literal["created_at", "-created_at", "label", "-label", "system", "-system"] | None, SORTED
    ] = None


class KeyChange(Input):
    """A new name for people."""

    label: Annotated[Label, about("What people call it from now on.", "My triplestore")]


class KeyShown(BaseModel):
    """A key without its secret. `revealable`: it was not revealed yet."""

    id: Annotated[Uuid, about("The id of the key.")]
    label: Annotated[str, about("What people call it.", "Triplestore")]
    owner: Annotated[UserName, about("Whose it is, and nobody else's.")]
    system: Annotated[str, about("The system it opens.", "triplestore")]
    account: Annotated[str, about("The account it is for.", "anna")]
    created_at: Annotated[When, about("When it was made.")]
    revealed_at: Annotated[When | None, about("When its secret was revealed.")]
    revealable: Annotated[bool, about("Whether its secret was not revealed yet.")]


class Revealed(BaseModel):
    """The secret, this once."""

    secret: Annotated[str, about("The secret, which is not kept here any more.", "EXAMPLE-secret")]


@router.get("", response=Listed[KeyShown], summary="List one's service keys")
def list_(request: HttpRequest, window: Query[KeysAsked]) -> dict[str, Any]:
    """A key comes with the first component of its system."""
    return listed(own(request), window, LIST, each(shown))


@router.post("", response={202: Ordered}, summary="Make a service key", openapi_extra=says(409))
def create(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """Not offered yet: a key comes with the first component of its system."""
    raise not_offered(message("making_key"))


@router.get("/{key_id}", response=KeyShown, summary="Show one service key")
def show(request: HttpRequest, key_id: uuid.UUID) -> dict[str, Any]:
    return shown(own(request).get(id=key_id))


@router.patch(
    "/{key_id}", response=KeyShown, summary="Rename a service key", openapi_extra=says(409)
)
def change(request: HttpRequest, key_id: uuid.UUID, body: KeyChange) -> dict[str, Any]:
    """For people; the account keeps its name."""
    key = own(request).get(id=key_id)
    return shown(keys.rename(key, body.label, by=person_of(request)))


@router.delete(
    "/{key_id}", response={202: Ordered}, summary="Delete a service key", openapi_extra=says(409)
)
def delete(request: HttpRequest, key_id: uuid.UUID) -> dict[str, Any]:
    """Not offered yet: a key goes with the last component that uses it."""
    own(request).get(id=key_id)
    raise not_offered(message("deleting_key"))


@router.get(
    "/{key_id}/reveal",
    auth=shown_a_secret,
    response=Revealed,
    summary="Reveal a service key, once",
    openapi_extra=says(409),
)
@sensitive_variables()
def reveal(request: HttpRequest, response: HttpResponse, key_id: uuid.UUID) -> dict[str, Any]:
    """Afterwards it is not kept here any more."""
    refuse_unread(request)
    secret = keys.reveal(own(request).get(id=key_id), by=person_of(request))
    response.headers["Cache-Control"] = "no-store"
    # The one place where the API shows a stored secret: asked for by its owner, and by nobody else.
    return {"secret": secret.reveal()}


def own(request: HttpRequest) -> QuerySet[ServiceKey]:
    """The keys of whoever asks."""
    return ServiceKey.objects.filter(owner=person_of(request)).select_related("owner")


def shown(key: ServiceKey) -> dict[str, Any]:
    """One key for its owner."""
    return {
        "id": str(key.id),
        "label": key.label,
        "owner": key.owner.username,
        "system": key.system,
        "account": key.account,
        "created_at": in_utc(key.created_at),
        "revealed_at": in_utc(key.revealed_at),
        "revealable": key.secret is not None,
    }
