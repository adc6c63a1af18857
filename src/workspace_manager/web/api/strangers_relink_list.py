"""`POST /strangers/relink-list`: a list with the present account of each person."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router
from pydantic import BaseModel, Field

from workspace_manager.contract.member_description import describe
from workspace_manager.reconcile import link_list
from workspace_manager.reconcile.link_list import MOST, Row
from workspace_manager.reconcile.relink_views import RelinkView, view_relink
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Name
from workspace_manager.web.api.openapi import says
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)


class RowWanted(Input):
    """A person, and their present account."""

    username: Annotated[Name, describe("The user name here.", "anna")]
    account: Annotated[
        Name,
        describe(
            "The new id at the identity provider, or the confirmed address of the account there.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]


class ListWanted(Input):
    """The rows, and the digest of their preview. Without it, nothing is changed."""

    rows: Annotated[
        list[RowWanted],
        Field(min_length=1, max_length=MOST),
        describe("The list: a row for each person."),
    ]
    digest: Annotated[
        Name | None, describe("What the preview gave: what was shown is done.", "5f2d")
    ] = None


class ListShown(BaseModel):
    """All rows, and the digest to continue with."""

    items: Annotated[list[RelinkView], describe("Each row, in its order.")]
    digest: Annotated[str, describe("Echo it to have done what is shown.", "5f2d")]


@router.post(
    "/relink-list",
    response=ListShown,
    summary="Link many people to the accounts that a list names",
    openapi_extra=says(409),
)
def relink_list(request: HttpRequest, body: ListWanted) -> dict[str, Any]:
    """Without `digest`: a preview that changes nothing. An account must be known from the last
    comparison or from a refused sign-in. Administrators and people with permissions are left out. A
    repeated list links nobody twice.
    """
    rows = [Row(n, one.username, one.account) for n, one in enumerate(body.rows, 1)]
    results = (
        link_list.look(rows)
        if body.digest is None
        else link_list.link(
            rows,
            shown=body.digest,
            actor=person_of(request).username,
            systems=connected_systems(),
        )
    )
    return {"items": list(map(view_relink, results)), "digest": link_list.digest(results)}
