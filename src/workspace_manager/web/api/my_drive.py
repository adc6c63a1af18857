"""`/me/drive`: your connection to the drive.

Reading it calls the drive and changes nothing. The handle of a sign-in in the browser never leaves
the server.

See docs/explanation/drive-connection.md.
"""

from typing import Annotated, Final, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Router
from pydantic import BaseModel, BeforeValidator

from workspace_manager.contract.member_description import describe
from workspace_manager.core.views import CodedMessage, View, as_data, as_text
from workspace_manager.drive_credentials import connect as connect_drive
from workspace_manager.drive_credentials import in_browser
from workspace_manager.web.api.auth import person_of, signed_in
from workspace_manager.web.api.openapi import says
from workspace_manager.web.pages.translate import sentence
from workspace_manager.web.sign_in import tokens
from workspace_manager.wiring import connected_systems

router = Router(auth=signed_in)
SENTENCE: Final = BeforeValidator(lambda why: sentence(as_text(why)) if why else None)


class DriveView(View):
    """The caller's connection to the drive. `connected`: the stored credentials were tried just now
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
        SENTENCE,
        describe(
            "Why the last try with a token made none.",
            "The drive does not take tokens of the identity provider.",
        ),
    ] = None
    bearer_error_message: Annotated[CodedMessage | None, as_data("bearer_error")] = None
    browser_error: Annotated[
        str | None,
        SENTENCE,
        describe(
            "Why connecting in the browser is of no use.",
            "The drive does not allow connecting in the browser.",
        ),
    ] = None
    browser_error_message: Annotated[CodedMessage | None, as_data("browser_error")] = None
    stored_error: Annotated[
        str | None,
        SENTENCE,
        describe(
            "Why what was stored is of no use.",
            "The drive refuses the app password that was stored.",
        ),
    ] = None
    stored_error_message: Annotated[CodedMessage | None, as_data("stored_error")] = None


class OpenedConnection(BaseModel):
    """The address to sign in at the drive."""

    login_url: Annotated[
        str,
        describe(
            "The address to open in a browser.", "https://drive.example.org/login/v2/flow/EXAMPLE"
        ),
    ]


class Polled(BaseModel):
    """The state of the sign-in at the drive."""

    state: Annotated[
        Literal["pending", "connected"], describe("Whether the sign-in there is done.")
    ]


@router.get(
    "",
    response=DriveView,
    summary="Show how one is connected with the drive",
    openapi_extra=says(409, 502),
)
def show(request: HttpRequest) -> DriveView:
    """Asks the drive whether the stored credentials work. `bearer_error`: why the last attempt with
    a token failed.
    """
    return DriveView.from_row(connect_drive.status(person_of(request), connected_systems()))


@router.post(
    "",
    response=DriveView,
    summary="Connect with the token of this session",
    openapi_extra=says(409, 502),
)
def by_token(request: HttpRequest) -> DriveView:
    """Leaves working credentials as they are. Does not work with an API token, which is no token of
    the identity provider.
    """
    person, systems = person_of(request), connected_systems()
    token = tokens.access_token(request, person, systems)
    return DriveView.from_row(connect_drive.by_token(person, systems, token))


@router.delete("", response={204: None}, summary="Disconnect", openapi_extra=says(409, 502))
def end(request: HttpRequest) -> HttpResponse:
    """Revokes the app password and clears stored credentials. The drive account and its files
    stay.
    """
    connect_drive.end(person_of(request), connected_systems())
    return HttpResponse(status=204)


@router.post(
    "/connect",
    response=OpenedConnection,
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
    """Answers 400 if the sign-in there was somebody else's; the grant is then revoked."""
    connected = in_browser.poll(person_of(request), connected_systems())
    return {"state": "connected" if connected else "pending"}
