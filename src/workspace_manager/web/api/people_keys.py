"""`/people/{username}/service-keys`: other people's keys, for administrators, who see them without
secrets, renew them and delete them. Only the owner can reveal a renewed secret.
"""

import uuid
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router

from workspace_manager.accounts import keys, renewal
from workspace_manager.accounts.key_views import KeyView, view_keys
from workspace_manager.accounts.listings import KEYS
from workspace_manager.records.models import Person, ServiceKey
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Name
from workspace_manager.web.api.lists import list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage, Ordered
from workspace_manager.web.api.service_keys import KeysAsked
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)


@router.get(
    "/{username}/service-keys", response=ListPage[KeyView], summary="List somebody's service keys"
)
def list_(
    request: HttpRequest,  # noqa: ARG001
    username: Name,
    window: Query[KeysAsked],
) -> dict[str, Any]:
    """Accounts, purposes and times. Only the owner sees secrets."""
    return list_page(_keys_of_person(username), window, KEYS, view_keys)


@router.post(
    "/{username}/service-keys/{key_id}/renew",
    response={202: Ordered},
    summary="Renew one of somebody's keys",
    openapi_extra=says(409),
)
def renew(request: HttpRequest, username: Name, key_id: uuid.UUID) -> dict[str, Any]:
    """The old secret stops working; only the owner can reveal the new one."""
    plan = renewal.renew(
        _keys_of_person(username).get(id=key_id),
        actor=person_of(request).username,
        systems=connected_systems(),
    )
    return {"plan": str(plan.id)}


@router.delete(
    "/{username}/service-keys/{key_id}",
    response={202: Ordered},
    summary="Delete one of somebody's machine keys",
    openapi_extra=says(409),
)
def delete(request: HttpRequest, username: Name, key_id: uuid.UUID) -> dict[str, Any]:
    """Deletes its account with all its rights."""
    plan = keys.delete(
        _keys_of_person(username).get(id=key_id),
        actor=person_of(request).username,
        systems=connected_systems(),
    )
    return {"plan": str(plan.id)}


def _keys_of_person(username: str) -> QuerySet[ServiceKey]:
    rows = ServiceKey.objects.filter(owner=Person.objects.get(username=username))
    return rows.select_related("owner").order_by("created_at", "id")
