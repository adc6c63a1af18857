"""`/administrators`: who may approve and remove people. The role cannot be taken from yourself or
from the last active administrator.
"""

from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.people import roles
from workspace_manager.records.models import Person
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Name, Window
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed

router = Router(auth=administrator)


class AdministratorShown(BaseModel):
    """An administrator. `announced`: becomes one at the first sign-in under this name."""

    username: str
    state: Literal["active", "suspended", "leaving", "announced"]


@router.get("", response=Listed[AdministratorShown], summary="List administrators")
def list_(request: HttpRequest, window: Query[Window]) -> dict[str, Any]:  # noqa: ARG001
    """Those who are, then the names that become administrators at their first sign-in."""
    everybody = _all()
    return {
        "items": everybody[window.offset : window.offset + window.limit],
        "count": len(everybody),
    }


@router.put(
    "/{username}",
    response=AdministratorShown,
    summary="Make somebody an administrator",
    openapi_extra=says(409, 422),
)
def add(request: HttpRequest, username: Name) -> dict[str, str]:
    """Now, or at the first sign-in under this name. Again changes nothing."""
    name = roles.make_administrator(username, actor=person_of(request).username)
    (found,) = [one for one in _all() if one["username"] == name]
    return found


@router.delete(
    "/{username}",
    response={204: None},
    summary="Make an administrator an ordinary person",
    openapi_extra=says(409),
)
def remove(request: HttpRequest, username: Name) -> HttpResponse:
    """Refused for oneself and for the last active one; of two who do it to each other at once one
    stays.
    """
    roles.make_user(username, actor=person_of(request).username)
    return HttpResponse(status=204)


def _all() -> list[dict[str, str]]:
    """Administrators are few: they are listed whole and cut afterwards."""
    rows = Person.objects.filter(role=Person.Role.ADMINISTRATOR).order_by("username")
    here = [{"username": row.username, "state": str(row.state)} for row in rows]
    return here + [{"username": name, "state": "announced"} for name in roles.announced()]
