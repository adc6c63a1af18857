"""Calls and replies inside the stand-in, and the pages its layers answer with."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode

from aiohttp import web

HTML = "text/html; charset=utf-8"
PLAIN = "text/plain;charset=utf-8"
DJANGO_HEADERS = {
    "Vary": "Accept",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@dataclass(frozen=True)
class Call:
    """One request as a layer sees it. `path` is decoded, without the leading slash; `raw_path` is
    what stood on the wire.
    """

    method: str
    path: str
    raw_path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    @property
    def content_type(self) -> str:
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    def last(self, name: str) -> str | None:
        """Give the last of a repeated parameter: the only one OpenGDB forwards."""
        values = self.query.get(name)
        return values[-1] if values else None

    def forwarded(self) -> "Call":
        """Give the call as OpenGDB sends it on: one value per parameter."""
        query = {name: values[-1:] for name, values in self.query.items()}
        path = self.raw_path.partition("?")[0]
        raw = path + ("?" + urlencode({n: v[0] for n, v in query.items()}) if query else "")
        return Call(self.method, self.path, raw, query, self.headers, self.body)

    def form(self) -> dict[str, str]:
        """Decode a form body; empty for any other type."""
        if self.content_type != "application/x-www-form-urlencoded":
            return {}
        found = parse_qs(self.body.decode("utf-8", errors="replace"), keep_blank_values=True)
        return {name: values[-1] for name, values in found.items()}


@dataclass
class Reply:
    """One answer. `content_type` None sends none, as RDF4J does for 204."""

    status: int = 200
    body: bytes = b""
    content_type: str | None = HTML
    headers: dict[str, str] = field(default_factory=dict)

    def response(self) -> web.Response:
        headers = dict(self.headers)
        if self.content_type:
            headers["Content-Type"] = self.content_type
        return web.Response(status=self.status, body=self.body, headers=headers)


async def call_of(request: web.Request) -> Call:
    """Read a request whole, before anything is answered."""
    path, _, query = request.raw_path.partition("?")
    return Call(
        method=request.method,
        path=unquote(path).lstrip("/") if path != "//" else "",
        raw_path=request.raw_path,
        query=parse_qs(query, keep_blank_values=True),
        headers=request.headers,
        body=await request.read(),
    )


def json_reply(
    document: Any, *, status: int = 200, content_type: str = "application/json"
) -> Reply:
    """Answer as Django's JsonResponse does: a blank after comma and colon."""
    return Reply(status, json.dumps(document).encode(), content_type)


def detail(text: str, *, status: int) -> Reply:
    """Answer as the REST framework refuses: one member, no blanks."""
    body = json.dumps({"detail": text}, separators=(",", ":"), ensure_ascii=False).encode()
    return Reply(status, body, "application/json")


def text(body: str, *, status: int = 200, content_type: str = HTML) -> Reply:
    return Reply(status, body.encode(), content_type)


def plain(body: str, *, status: int = 200) -> Reply:
    """Answer as RDF4J does: plain text in English."""
    return Reply(status, body.encode(), PLAIN, {"Content-Language": "en"})


def empty(status: int) -> Reply:
    return Reply(status)


def page(status: int, title: str, said: str = "") -> Reply:
    """Answer with one of Django's error pages."""
    body = (
        f'\n<!doctype html>\n<html lang="en">\n<head>\n  <title>{title}</title>\n</head>\n<body>\n'
        f"  <h1>{title}</h1><p>{said}</p>\n</body>\n</html>\n"
    )
    return text(body, status=status)


def server_error() -> Reply:
    return page(500, "Server Error (500)")


def unknown_route() -> Reply:
    return page(404, "Not Found", "The requested resource was not found on this server.")


def proxy_page(status: int, title: str) -> Reply:
    """Answer as the web server in front does."""
    body = (
        f"<html>\r\n<head><title>{status} {title}</title></head>\r\n<body>\r\n"
        f"<center><h1>{status} "
        f"{title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
    )
    return text(body, status=status, content_type="text/html")
