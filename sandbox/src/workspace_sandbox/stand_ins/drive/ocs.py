"""The OCS interface: envelopes in JSON and XML, and which call goes where."""

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import unquote
from xml.sax.saxutils import escape

from aiohttp import web

from workspace_sandbox.routes import Route
from workspace_sandbox.stand_ins.drive.sign_in import Asker, Blocked, Wrong, find_asker
from workspace_sandbox.stand_ins.drive.world import World

SYNTAX = (
    "Invalid query, please check the syntax. API specifications are here: "
    "http://www.freedesktop.org/wiki/Specifications/open-collaboration-services.\n"
)
JSON_TYPE, XML_TYPE = "application/json; charset=utf-8", "application/xml; charset=utf-8"
EARLY_XML_TYPE = "text/xml; charset=UTF-8"
PERSON, SUB_ADMIN, ADMIN = "person", "sub admin", "admin"
ANYBODY = "anybody"
REASONS = {412: "Precondition failed", 400: "Bad request"}


class OcsError(Exception):
    """A call ends with this code and message."""

    def __init__(self, code: int, message: str = "", data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = [] if data is None else data


@dataclass
class Call:
    """One call, ready for its handler: `parts` of the path, `fields` of the form or JSON body."""

    world: World
    request: web.Request
    parts: tuple[str, ...]
    asker: Asker | None
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def me(self) -> Asker:
        assert self.asker is not None
        return self.asker


OcsHandler: TypeAlias = Callable[[Call], Awaitable[Any]]
OF_ONE_USER = re.compile(r"/cloud/users/[^/]+/[a-zA-Z0-9_]+")


@dataclass(frozen=True)
class OcsRoute:
    """One call below `/ocs/v2.php`: `{name}` in its path is handed to the handler; who may, and who
    does.
    """

    method: str
    path: str
    handler: OcsHandler
    callers: tuple[str, ...]
    access: str = PERSON

    def parts(self, path: str) -> tuple[str, ...] | None:
        found = re.fullmatch(re.sub(r"\{\w+\}", "([^/]+)", self.path), path)
        return found.groups() if found else None

    @property
    def shown(self) -> Route:
        return Route(self.method, f"/ocs/v2.php{self.path}", self.callers)


class Ocs:
    """Answer what is called under `/ocs/v2.php`."""

    def __init__(self, world: World, routes: Sequence[OcsRoute]) -> None:
        self.world = world
        self.routes = routes

    async def answer(self, request: web.Request) -> web.Response:
        path = unquote(request.rel_url.raw_path.partition(".php")[2])
        response = await self._answer(request, path)
        return self.world.with_cookies(request, response)

    async def _answer(self, request: web.Request, path: str) -> web.Response:
        if self.world.options["maintenance"]:
            headers = {"X-Nextcloud-Maintenance-Mode": "1"}
            return early(request, 503, 503, "Service unavailable", headers=headers)
        try:
            asker = await find_asker(self.world, request)
        except Blocked:
            return early(request, 429, 429, "Reached maximum delay")
        except Wrong:
            basic = "Basic" if "X-Requested-With" not in request.headers else "DummyBasic"
            headers = {"WWW-Authenticate": f'{basic} realm="Authorisation Required"'}
            return early(request, 401, 997, "Unauthorised", headers=headers, json_allowed=False)
        matches = [(r, p) for r in self.routes if (p := r.parts(path)) is not None]
        if path.startswith("/apps/user_oidc/") and not self.world.oidc.running:
            matches = []
        chosen = next(((r, p) for r, p in matches if r.method == request.method), None)
        if chosen is None and (matches or OF_ONE_USER.fullmatch(path)):
            # A slash in an account's name is decoded first, and something of that account is
            # addressed.
            return web.Response(status=405, headers={"Content-Type": EARLY_XML_TYPE})
        if chosen is None:
            return early(request, 404, 404, SYNTAX)
        refused = self._refuse(request, chosen[0], asker)
        if refused is not None:
            return refused
        call = Call(self.world, request, chosen[1], asker, await _fields(request))
        try:
            data = await chosen[0].handler(call)
        except OcsError as error:
            if error.code == 996:
                return early(request, 500, 500, "Internal Server Error\n")
            return envelope(request, error.code, error.message, error.data)
        return envelope(request, 200, "OK", data)

    def _refuse(
        self, request: web.Request, route: OcsRoute, asker: Asker | None
    ) -> web.Response | None:
        if asker is None and route.access == ANYBODY:
            return None
        if asker is None:
            if "html" in request.headers.get("Accept", ""):
                where = f"/login?redirect_url={request.rel_url.raw_path}"
                headers = {"Location": where, "Content-Type": "text/html; charset=UTF-8"}
                return web.Response(status=303, headers=headers)
            return envelope(request, 997, "Current user is not logged in", [])
        if "OCS-APIRequest" not in request.headers and not asker.csrf_exempt:
            return web.Response(
                status=412,
                reason=REASONS[412],
                body=b'{"message":"CSRF check failed"}',
                headers={"Content-Type": JSON_TYPE},
            )
        if route.access == SUB_ADMIN and not asker.admin:
            return envelope(request, 403, "Logged in account must be at least a sub admin", [])
        if route.access == ADMIN and not asker.admin:
            return envelope(request, 403, "Logged in account must be an admin", [])
        return None


async def _fields(request: web.Request) -> dict[str, Any]:
    fields: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        try:
            document = await request.json()
        except ValueError:
            document = None
        fields |= document if isinstance(document, dict) else {}
    elif request.can_read_body:
        form = await request.post()
        for key in form:
            fields[key] = form.getall(key) if key.endswith("[]") else form[key]
    return fields


def envelope(request: web.Request, code: int, message: str, data: Any) -> web.Response:
    """Answer as a controller does: the format asked for is honoured."""
    ok = code == 200
    meta: dict[str, Any] = {
        "status": "ok" if ok else "failure",
        "statuscode": code,
        "message": message,
    }
    status = _http_status(code)
    body, kind = (
        (to_json(meta, data), JSON_TYPE)
        if _format(request) == "json"
        else (to_xml(meta, data), XML_TYPE)
    )
    return web.Response(
        status=status, reason=REASONS.get(status), body=body, headers={"Content-Type": kind}
    )


def early(
    request: web.Request,
    status: int,
    code: int,
    message: str,
    *,
    headers: dict[str, str] | None = None,
    json_allowed: bool = True,
) -> web.Response:
    """Answer as the code before any controller does: XML unless the query asks for JSON."""
    meta = {"status": "failure", "statuscode": code, "message": message}
    as_json = json_allowed and request.query.get("format") == "json"
    body = to_json(meta, []) if as_json else to_xml(meta, [])
    kind = JSON_TYPE if as_json else EARLY_XML_TYPE
    return web.Response(status=status, body=body, headers={"Content-Type": kind, **(headers or {})})


def _http_status(code: int) -> int:
    if code == 997:
        return 401
    if code == 998:
        return 404
    if code == 999:
        return 500
    return code if 200 <= code < 600 else 400


def _format(request: web.Request) -> str:
    asked = request.query.get("format", "")
    if asked in {"json", "xml"}:
        return asked
    for part in request.headers.get("Accept", "").split(","):
        word = part.strip().lower().replace("application/", "")
        if word in {"json", "xml"}:
            return word
    return "xml"


def to_json(meta: dict[str, Any], data: Any) -> bytes:
    """Write JSON as PHP does: slashes escaped, non-ASCII escaped."""
    return php_json({"ocs": {"meta": meta, "data": data}})


def php_json(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).replace("/", "\\/").encode()


def to_xml(meta: dict[str, Any], data: Any) -> bytes:
    lines = ['<?xml version="1.0"?>', "<ocs>", " <meta>"]
    lines += [f"  <{key}>{escape(str(value))}</{key}>" for key, value in meta.items()]
    lines.append(" </meta>")
    if data in ([], {}):
        lines.append(" <data/>")
    else:
        lines += [" <data>", *_xml_lines(data, 2), " </data>"]
    return ("\n".join([*lines, "</ocs>"]) + "\n").encode()


def _xml_lines(value: Any, depth: int) -> list[str]:
    items = [("element", v) for v in value] if isinstance(value, list) else list(value.items())
    lines = []
    pad = " " * depth
    for key, inner in items:
        if isinstance(inner, dict | list):
            if not inner:
                lines.append(f"{pad}<{key}/>")
                continue
            lines += [f"{pad}<{key}>", *_xml_lines(inner, depth + 1), f"{pad}</{key}>"]
        else:
            text = "" if inner is None or inner is False else "1" if inner is True else str(inner)
            lines.append(f"{pad}<{key}>{escape(text)}</{key}>")
    return lines
