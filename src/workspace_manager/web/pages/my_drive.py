"""`/drive`: a person's connection to the drive, made by the sign-in or in the browser.

Each answer is the part of a page with the state; without script it is a page of its own. See
docs/explanation/drive-connection.md.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace_manager.drive_credentials import connect as connect_drive
from workspace_manager.drive_credentials import in_browser
from workspace_manager.drive_credentials.connect import Connection
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.systems.drive.settings import Settings
from workspace_manager.web.pages import snippets
from workspace_manager.web.pages.access import live, person_of
from workspace_manager.web.pages.answers import on_error
from workspace_manager.web.sign_in import tokens
from workspace_manager.wiring import connected_systems


def _part(
    request: HttpRequest,
    connection: Connection | None = None,
    *,
    address: str = "",
    waiting: bool = False,
) -> HttpResponse:
    context = {
        "connection": connection,
        "address": address,
        "waiting": waiting,
        "snippets": _snippets(connection),
    }
    if live(request):
        brief = request.GET.get("brief")
        return render(request, "people/drive_brief.html" if brief else "people/drive.html", context)
    return render(request, "people/drive_page.html", context)


def _snippets(connection: Connection | None) -> list[snippets.Snippet]:
    """Return snippets for other programs to open the drive; none without a connection."""
    values = read_settings("drive").settings
    name = connection.login_name if connection and connection.connected else None
    if not name or not isinstance(values, Settings):
        return []
    return snippets.webdav(values.base_url, name)


@on_error(_part)
def show(request: HttpRequest) -> HttpResponse:
    """Show the state of the connection. The stored credentials are tried, and nothing is made."""
    return _part(request, connect_drive.status(person_of(request), connected_systems()))


@on_error(_part)
def connect(request: HttpRequest) -> HttpResponse:
    """Connect with the token of this sign-in."""
    person, systems = person_of(request), connected_systems()
    token = tokens.access_token(request, person, systems)
    return _part(request, connect_drive.by_token(person, systems, token))


@on_error(_part)
def browser(request: HttpRequest) -> HttpResponse:
    """Begin a sign-in at the drive in the browser, for a drive that takes no token."""
    address = in_browser.start(person_of(request), connected_systems())
    return _part(request, address=address, waiting=True)


@on_error(_part)
def poll(request: HttpRequest) -> HttpResponse:
    """Show the connection once that sign-in is done."""
    person, systems = person_of(request), connected_systems()
    if not in_browser.poll(person, systems):
        # Nothing is swapped: the link to the drive stays on the page. Its address is no longer
        # known here.
        return HttpResponse(status=204) if live(request) else _part(request, waiting=True)
    return _part(request, connect_drive.status(person, systems))


@on_error(_part)
def disconnect(request: HttpRequest) -> HttpResponse:
    """Revoke the app password and delete the stored credentials."""
    return _part(request, connect_drive.end(person_of(request), connected_systems()))
