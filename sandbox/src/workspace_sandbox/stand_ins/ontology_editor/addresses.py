"""The addresses under /data: which there are, which methods they take, and which part answers."""

import re
from typing import NamedTuple

from aiohttp import web

from workspace_sandbox.routes import called
from workspace_sandbox.stand_ins.ontology_editor.pages import container_page
from workspace_sandbox.stand_ins.ontology_editor.projects import Projects

_CLIENT = "workspace_manager.systems.ontology_editor.client.calls:OntologyEditorClient"
_LOOK = "workspace_manager.systems.ontology_editor.client.look:look"
_PAGES = ("/", "/WebProtege.jsp", "/webprotege/oidc/login", "/webprotege/oidc/callback")
_ONE = "/data/projects/{project}"
_MEMBER = f"{_ONE}/collaborators/{{name}}"
SERVED = (
    *called("demo person", routes=[f"GET {path}" for path in _PAGES]),
    *called(f"{_CLIENT}.projects", _LOOK, routes=["GET /data/projects"]),
    *called(f"{_CLIENT}.create_project", routes=["POST /data/projects"]),
    *called(f"{_CLIENT}.project", routes=[f"GET {_ONE}"]),
    *called(f"{_CLIENT}.trash_project", f"{_CLIENT}.flavour", routes=[f"DELETE {_ONE}"]),
    *called(f"{_CLIENT}.change_settings", routes=[f"GET {_ONE}/settings", f"POST {_ONE}/settings"]),
    *called(f"{_CLIENT}.grant", routes=[f"PUT {_MEMBER}"]),
    *called(f"{_CLIENT}.revoke", routes=[f"DELETE {_MEMBER}"]),
    *called(
        "tests.systems.ontology_editor.test_faults:test_a_wrong_base_address_is_invalid",
        routes=["GET /webprotege/data/projects"],
    ),
)
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


class Address(NamedTuple):
    """One address and its methods; sharing and deleting are there on a patched server alone."""

    view: str
    pattern: re.Pattern[str]
    methods: tuple[str, ...]
    patched_methods: tuple[str, ...] = ()


class Match(NamedTuple):
    """A matched address with what stood in it."""

    view: str
    values: tuple[str, ...]
    methods: tuple[str, ...]


ADDRESSES = (
    Address("projects", re.compile(r"projects/?"), ("GET", "POST")),
    Address("project", re.compile(rf"projects/({UUID})/?"), ("GET",), ("DELETE",)),
    Address("settings", re.compile(rf"projects/({UUID})/settings/?"), ("GET", "POST")),
    Address(
        "collaborator",
        re.compile(rf"projects/({UUID})/collaborators/([^/]+)/?", re.DOTALL),
        (),
        ("PUT", "DELETE"),
    ),
)


def match(path: str, *, patched: bool) -> Match | None:
    """Match an address behind /data/; an id in capitals matches nothing."""
    for address in ADDRESSES:
        found = address.pattern.fullmatch(path)
        methods = address.methods + (address.patched_methods if patched else ())
        if found and methods:
            return Match(address.view, found.groups(), methods)
    return None


def refusal(request: web.Request, found: Match) -> web.Response | None:
    """Refuse what cannot be routed, before the key is looked at: method, what shall come back, what
    is sent.
    """
    method = request.method
    if method not in found.methods:
        allowed = ",".join(sorted([*found.methods, "OPTIONS"]))
        return container_page(405, headers={"Allow": allowed})
    if not _accepts(request.headers.get("Accept", "*/*")):
        return container_page(406)
    if method in {"POST", "PUT"} and _sends_other(request):
        return container_page(415)
    return None


def needs_key(request: web.Request, found: Match) -> bool:
    """Return whether a session will not do."""
    return found.view == "projects" and request.method == "POST"


def answer(
    projects: Projects, user: str, request: web.Request, found: Match, body: bytes
) -> web.Response | None:
    """Let the part that knows answer; None: no such project."""
    method = request.method
    if found.view == "projects":
        base = f"http://{request.headers.get('Host', request.host)}"
        return projects.create(user, body, base) if method == "POST" else projects.visible(user)
    if found.view == "collaborator":
        project_id, name = found.values
        return projects.collaborator(user, method, project_id, name, body)
    project_id = found.values[0]
    if found.view == "settings":
        return projects.settings(user, method, project_id, body)
    return projects.trash(user, project_id) if method == "DELETE" else projects.get(project_id)


def _accepts(accept: str) -> bool:
    kinds = {part.partition(";")[0].strip().lower() for part in accept.split(",")}
    return bool(kinds & {"*/*", "application/json", "application/*"}) or not accept.strip()


def _sends_other(request: web.Request) -> bool:
    """Return whether the body has a type that is not read; an empty body may have any."""
    if not request.can_read_body and "Content-Type" not in request.headers:
        return False
    sent = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return sent != "application/json"
