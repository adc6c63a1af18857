"""The addresses under /data: which there are, which methods they take, what they accept, and which part answers."""

import re
from typing import NamedTuple

from aiohttp import web

from workspace_sandbox.stand_ins.ontology_editor.inside import Inside
from workspace_sandbox.stand_ins.ontology_editor.pages import container_page
from workspace_sandbox.stand_ins.ontology_editor.projects import Projects

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
JSON = ("application/json",)
AXIOMS = ("text/ttl", "text/owl-functional", "application/rdf+xml")
WADL = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<application xmlns="http://wadl.dev.java.net/2009/02">
    <doc xmlns:jersey="http://jersey.java.net/" jersey:generatedBy="Jersey: 2.27 2018-04-10 07:34:57"/>
    <grammars>
        <include href="{base}/data/application.wadl/xsd0.xsd">
            <doc title="Generated" xml:lang="en"/>
        </include>
    </grammars>
    <resources base="{base}/data/">{resources}</resources>
</application>
"""


class Route(NamedTuple):
    """One address: its methods, and the types its bodies may have."""

    view: str
    pattern: re.Pattern[str]
    methods: tuple[str, ...]
    takes: tuple[str, ...] = JSON
    patched_methods: tuple[str, ...] = ()
    gives: str = "application/json"


class Match(NamedTuple):
    """A matched address with what stood in it."""

    route: Route
    values: tuple[str, ...]
    methods: tuple[str, ...]


ROUTES = (
    Route("projects", re.compile(r"projects/?"), ("GET", "POST")),
    Route("project", re.compile(rf"projects/({UUID})/?"), ("GET",), patched_methods=("DELETE",)),
    Route("settings", re.compile(rf"projects/({UUID})/settings/?"), ("GET", "POST")),
    Route("axioms", re.compile(rf"projects/({UUID})/axioms/?"), ("POST",), AXIOMS),
    Route("delete_axioms", re.compile(rf"projects/({UUID})/delete-axioms/?"), ("POST",), AXIOMS),
    Route("forms", re.compile(rf"projects/({UUID})/forms/?"), ("GET", "POST")),
    Route("revisions", re.compile(rf"projects/({UUID})/revisions/?"), ("GET",)),
    Route("revision", re.compile(rf"projects/({UUID})/revisions/([0-9]+)/?"), ("GET",)),
    Route(
        "collaborator",
        re.compile(rf"projects/({UUID})/collaborators/([^/]+)/?", re.DOTALL),
        (),
        patched_methods=("PUT", "DELETE"),
    ),
    Route("wadl", re.compile(r"application\.wadl"), ("GET",), gives="application/vnd.sun.wadl+xml"),
)


def match(path: str, *, patched: bool) -> Match | None:
    """Match an address behind /data/; an id in capitals matches nothing (facts, ontology editor 3.4)."""
    for route in ROUTES:
        found = route.pattern.fullmatch(path)
        methods = route.methods + (route.patched_methods if patched else ())
        if found and methods:
            return Match(route, found.groups(), methods)
    return None


def refusal(request: web.Request, found: Match) -> web.Response | None:
    """Refuse what cannot be routed: the method, what shall come back, what is sent. All of it before the key is looked at."""
    method = "GET" if request.method == "HEAD" else request.method
    if method == "OPTIONS":
        return None
    if method not in found.methods:
        allowed = ",".join(sorted([*found.methods, "OPTIONS"]))
        return container_page(405, headers={"Allow": allowed})
    if not _accepts(request.headers.get("Accept", "*/*"), found.route.gives):
        return container_page(406)
    if method in {"POST", "PUT"} and _sends_other(request, found.route.takes):
        return container_page(415)
    return None


def needs_key(request: web.Request, found: Match) -> bool:
    """Whether a session will not do."""
    return found.route.view == "projects" and request.method == "POST"


def answer(
    projects: Projects, user: str, request: web.Request, found: Match, body: bytes
) -> web.Response | None:
    """Let the part that knows answer; None: no such project."""
    base = f"http://{request.headers.get('Host', request.host)}"
    method = "GET" if request.method == "HEAD" else request.method
    if method == "OPTIONS" or found.route.view == "wadl":
        return _wadl(request, found, base)
    if found.route.view == "projects":
        return projects.create(user, body, base) if method == "POST" else projects.visible(user)
    project_id = found.values[0]
    match found.route.view:
        case "project":
            return (
                projects.trash(user, project_id) if method == "DELETE" else projects.get(project_id)
            )
        case "collaborator":
            return projects.collaborator(user, method, project_id, found.values[1], body)
        case "settings":
            return Inside(projects).settings(user, project_id, method, body)
        case "forms":
            return Inside(projects).forms(user, project_id, method, body, base)
        case "revisions":
            return Inside(projects).revisions(user, project_id, None, base)
        case "revision":
            return Inside(projects).revisions(user, project_id, found.values[1], base)
        case view:
            adding = view == "axioms"
            return Inside(projects).change_axioms(user, project_id, body, base, adding=adding)


def _wadl(request: web.Request, found: Match, base: str) -> web.Response:
    given = f'<response><representation mediaType="{found.route.gives}"/></response>'
    methods = "".join(f'<method name="{name}">{given}</method>' for name in found.methods)
    path = request.path.removeprefix("/data/")
    resources = f'<resource path="{path}">{methods}</resource>'
    allowed = ["HEAD"] * ("GET" in found.methods) + sorted(found.methods) + ["OPTIONS"]
    headers = {"Content-Type": "application/vnd.sun.wadl+xml"}
    if request.method == "OPTIONS":
        headers["Allow"] = ",".join(allowed)
    body = WADL.format(base=base, resources=resources).encode()
    return web.Response(body=body, headers=headers)


def _accepts(accept: str, gives: str) -> bool:
    kinds = {part.partition(";")[0].strip().lower() for part in accept.split(",")}
    return bool(kinds & {"*/*", gives, f"{gives.partition('/')[0]}/*"}) or not accept.strip()


def _sends_other(request: web.Request, takes: tuple[str, ...]) -> bool:
    """Whether the body has a type that is not read; an empty body may have any."""
    if not request.can_read_body and "Content-Type" not in request.headers:
        return False
    sent = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return sent not in takes
