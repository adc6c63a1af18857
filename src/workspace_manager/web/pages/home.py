"""The first page: an introduction for visitors, the dashboard for members, and first steps for
newcomers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import check_for_language
from django.utils.translation import gettext as _

from workspace_manager.contract.settings import SystemSettings
from workspace_manager.core.clock import database_now
from workspace_manager.inbox import waiting_items
from workspace_manager.letters import change_notices
from workspace_manager.operations.health_state import State, SystemHealth, read_healths
from workspace_manager.operations.system_configuration import SystemConfiguration, read_settings
from workspace_manager.people import end_dates
from workspace_manager.records.models import (
    Component,
    Person,
    Project,
    Tile,
)
from workspace_manager.systems import registry
from workspace_manager.systems.drive.settings import Settings as DriveSettings
from workspace_manager.systems.notebook_hub.settings import Settings as NotebookHubSettings
from workspace_manager.systems.ontology_editor.names import list_address
from workspace_manager.systems.ontology_editor.settings import Settings as OntologyEditorSettings
from workspace_manager.systems.sql_server.settings import Settings as SqlServerSettings
from workspace_manager.web.addresses import is_ours
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.lines import Line, follow, tell_apart
from workspace_manager.web.pages.project_names import ProjectName, twins

UNDER_WAY = (Component.State.CREATING, Component.State.WAITING, Component.State.DELETING)
MOST = 8
"""The most things of each kind on the dashboard; further ones are on pages with a search."""


@dataclass(frozen=True)
class TileView:
    """An application on the dashboard. Without an address it cannot be opened: `note` says why, and
    `remedy` is the page where administrators set it up.
    """

    kind: str
    name: str
    purpose: str
    address: str
    state: str
    note: str
    remedy: str = ""


def first_page(request: HttpRequest) -> HttpResponse:
    """Show the landing page to a visitor, or the dashboard to a signed-in person."""
    if isinstance(request.user, Person):
        return dashboard(request)
    return render(request, "home/landing.html")


def dashboard(request: HttpRequest) -> HttpResponse:
    """Show the person's things, their progress, and the inbox."""
    person = person_of(request)
    mine = Component.objects.filter(owner=person)
    ready, under_way = mine.exclude(state__in=UNDER_WAY), mine.filter(state__in=UNDER_WAY)
    projects = Project.objects.filter(owner=person)
    shared = Project.objects.filter(members=person)
    found = waiting_items.list_items(person, timezone.now(), most=MOST)
    context: dict[str, Any] = {
        "tiles": tiles(person),
        "projects": ProjectName.read(projects.order_by("-created_at")[:MOST]),
        "shared_projects": ProjectName.read(shared.order_by("-created_at")[:MOST]),
        "projects_in_all": projects.count() + shared.count(),
        "components": Line.read(ready.order_by("-created_at")[:MOST]),
        "components_in_all": ready.count(),
        "under_way": Line.read(under_way.order_by("-created_at")[:MOST]),
        "under_way_in_all": under_way.count(),
        "waits": found.items,
        "inbox_count": found.total,
        "ends_at": end_dates.near_end_date(person),
        "happened": change_notices.recent_notices(person)[: change_notices.MOST_SHOWN],
    }
    shown = len(context["projects"]) + len(context["shared_projects"])
    context["more_projects"] = context["projects_in_all"] > shown
    context["twins"] = twins([*context["projects"], *context["shared_projects"]])
    tell_apart([*context["components"], *context["under_way"]])
    follow(context["under_way"])
    return render(request, "home/dashboard.html", context)


def start(request: HttpRequest) -> HttpResponse:
    """Show the first steps after the first sign-in."""
    person = person_of(request)
    shown = tiles(person)
    context = {
        "tiles": shown,
        "project": Project.objects.filter(owner=person).first(),
        "drive": any(tile.kind == Tile.Kind.DRIVE and tile.address for tile in shown),
    }
    return render(request, "home/start.html", context)


def tiles(person: Person) -> list[TileView]:
    """Return a person's applications in their declared order. Administrators also see those that
    are not set up yet.
    """
    kinds = set(Tile.objects.filter(owner=person).values_list("kind", flat=True))
    known = read_healths(registry().names(), database_now())
    found = [_tile(kind, known) for kind in Tile.Kind.values if kind in kinds]
    return [one for one in found if one and (one.address or person.is_administrator)]


def _tile(kind: str, known: Mapping[str, SystemHealth]) -> TileView | None:
    """Return the tile; None if the system is set up and has no such application."""
    system = "sql_server" if kind == Tile.Kind.SQL_ADMIN_TOOL else kind
    settings_now = read_settings(system)
    name, purpose = _tile_texts(kind)
    if _unusable(settings_now):
        note = _("Not set up yet. Only administrators see this tile.")
        where = f"{reverse('systems')}#{system}"
        return TileView(kind, name, purpose, "", "not_set_up", note, where)
    address = _address(settings_now.settings)
    if not address:
        return None
    standing = known.get(system)
    state = standing.state if standing else State.NOT_ASKED
    return TileView(kind, name, purpose, address, TILE_STATES.get(state, state), _note(state))


TILE_STATES: Final = {State.UP.value: "ready"}


def _note(state: str) -> str:
    """Return the meaning of a state for users; the reason is for administrators."""
    notes = {
        State.PAUSED.value: _("The manager does not use it at the moment. You can still open it."),
        State.DOWN.value: _("Not available at the moment. Try again later."),
        State.DEGRADED.value: _("Answers, but may not work fully at the moment."),
    }
    return notes.get(state, "")


def _unusable(state: SystemConfiguration) -> bool:
    return bool(state.missing or state.errors)


def _address(values: SystemSettings) -> str:
    """Return the public address, not the one the manager calls."""
    match values:
        case DriveSettings():
            return values.base_url
        case NotebookHubSettings():
            return values.url
        case OntologyEditorSettings():
            return list_address(values.host) if values.host else ""
        case SqlServerSettings():
            return values.admin_tool_url
    return ""


def _tile_texts(kind: str) -> tuple[str, str]:
    return {
        Tile.Kind.DRIVE.value: (_("Drive"), _("Your files, shared folders, and calendars")),
        Tile.Kind.NOTEBOOK_HUB.value: (_("Notebooks"), _("Computing next to your data")),
        Tile.Kind.ONTOLOGY_EDITOR.value: (
            _("Ontology editor"),
            _("Vocabularies and models"),
        ),
        Tile.Kind.SQL_ADMIN_TOOL.value: (_("SQL admin tool"), _("Browse your databases")),
    }[kind]


def help_(request: HttpRequest) -> HttpResponse:
    """Answer common questions of the reader."""
    return render(request, "home/help.html")


def language(request: HttpRequest) -> HttpResponse:
    """Remember the language that a visitor chose. A signed-in person has a language in the
    profile.
    """
    after = request.POST.get("next", "/")
    if not is_ours(after):
        after = "/"
    response = HttpResponseRedirect(after)
    chosen = request.POST.get("language", "")
    if check_for_language(chosen) and chosen in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=365 * 24 * 3600,
            secure=settings.HTTPS,
            httponly=True,
            samesite="Lax",
        )
    return response
