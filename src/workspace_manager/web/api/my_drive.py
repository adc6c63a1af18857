"""`/me/drive`: how one is connected with the drive, and connecting.

Reading it looks and makes nothing. The handle of a sign-in in the browser never leaves the server.

See docs/explanation/drive-connection.md.
"""

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Router
from pydantic import BaseModel

from workspace_manager.contract.member_description import describe
from workspace_manager.core.messages import encode_message
from workspace_manager.drive_credentials import connect as connect_drive
from workspace_manager.drive_credentials import in_browser
from workspace_manager.drive_credentials.connect import Connection
from workspace_manager.drive_credentials.ensure import ERRORS
from workspace_manager.web.api.auth import person_of, signed_in
from workspace_manager.web.api.openapi import says
from workspace_manager.web.pages.translate import Coded, as_text, sentence
from workspace_manager.web.sign_in import tokens
from workspace_manager.wiring import connected_systems

router = Router(auth=signed_in)


class DriveShown(BaseModel):
    """How one is connected with the drive. `connected`: the stored credentials were tried just now
    and work.
    """

    connected: Annotated[
        bool, describe("Whether the stored credentials were tried just now and work.")
    ]
    method: Annotated[
        Literal["bearer", "app_password"] | None, describe("By which kind of credentials.")
    ]
    login_name: Annotated[str | None, describe("What one is called at the drive.", "anna")]
    bearer_error: Annotated[
        str | None,
        describe(
            "Why the last try with a token made none.",
            "The drive does not take tokens of the identity provider.",
        ),
    ] = None
    bearer_error_message: Coded | None = None
    browser_error: Annotated[
        str | None,
        describe(
            "Why connecting in the browser is of no use.",
            "The drive does not allow connecting in the browser.",
        ),
    ] = None
    browser_error_message: Coded | None = None
    stored_error: Annotated[
        str | None,
        describe(
            "Why what was stored is of no use.",
            "The drive refuses the app password that was stored.",
        ),
    ] = None
    stored_error_message: Coded | None = None


class Opened(BaseModel):
    """Where to sign in at the drive."""

    login_url: Annotated[
        str,
        describe(
            "The address to open in a browser.", "https://drive.example.org/login/v2/flow/EXAMPLE"
        ),
    ]


class Polled(BaseModel):
    """Whether that has happened."""

    state: Annotated[
        Literal["pending", "connected"], describe("Whether the sign-in there is done.")
    ]


@router.get(
    "",
    response=DriveShown,
    summary="Show how one is connected with the drive",
    openapi_extra=says(409, 502),
)
def show(request: HttpRequest) -> dict[str, Any]:
    """Asks the drive whether the stored credentials work. `bearer_error`: why the last try with a
    token made none.
    """
    return _shown(connect_drive.status(person_of(request), connected_systems()))


@router.post(
    "",
    response=DriveShown,
    summary="Connect with the token of this session",
    openapi_extra=says(409, 502),
)
def by_token(request: HttpRequest) -> dict[str, Any]:
    """Leaves working credentials as they are. Of no use with an API token: that is no token of the
    identity provider.
    """
    person, systems = person_of(request), connected_systems()
    token = tokens.access_token(request, person, systems)
    return _shown(connect_drive.by_token(person, systems, token))


@router.delete("", response={204: None}, summary="Disconnect", openapi_extra=says(409, 502))
def end(request: HttpRequest) -> HttpResponse:
    """Revoke the app password and clear what is stored. The drive account and its files stay."""
    connect_drive.end(person_of(request), connected_systems())
    return HttpResponse(status=204)


@router.post(
    "/connect",
    response=Opened,
    summary="Begin a sign-in at the drive in the browser",
    openapi_extra=says(409, 502),
)
def connect(request: HttpRequest) -> dict[str, str]:
    """For drives that take no token of ours. Open the address, sign in, then poll."""
    return {"login_url": in_browser.start(person_of(request), connected_systems())}


@router.post(
    "/poll",
    response=Polled,
    summary="Ask whether the sign-in in the browser is done",
    openapi_extra=says(409, 502),
)
def poll(request: HttpRequest) -> dict[str, str]:
    """400 when one signed in there as somebody else; what was granted is revoked then."""
    connected = in_browser.poll(person_of(request), connected_systems())
    return {"state": "connected" if connected else "pending"}


def _shown(connection: Connection) -> dict[str, Any]:
    errors = {name: getattr(connection, name) for name in ERRORS}
    return {
        "connected": connection.connected,
        "method": connection.method,
        "login_name": connection.login_name,
        **{name: sentence(as_text(why)) if why else None for name, why in errors.items()},
        **{f"{name}_message": encode_message(why) for name, why in errors.items()},
    }
