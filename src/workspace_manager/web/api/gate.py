"""What stands before every address of the API: bodies that are too large or of another type, and the router's own answers.

The framework answers HTML where no route, no method or no body fits; here these become problem documents too.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver, re_path
from django.views.decorators.http import require_safe

from workspace_manager.web.api import problems
from workspace_manager.web.api.problems import problem

LARGEST_BODY = 64 * 1024
JSON = "application/json"
BODIES = {"POST", "PUT", "PATCH"}

DOCUMENTS = {"openapi-json", "openapi-view"}
"""Views of the framework that would answer any method."""

View = Callable[..., HttpResponseBase]


def guarded(urls: list[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """Put the gate before every address, and one address behind all of them for what no route knows."""
    for url in urls:
        assert isinstance(url, URLPattern)
        view = require_safe(url.callback) if url.name in DOCUMENTS else url.callback
        url.callback = gate(view)
    return [*urls, re_path(r"^.*$", gate(_unknown), name="unknown")]


def gate(view: View) -> View:
    """Wrap one view."""

    @wraps(view)
    def before(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        refusal = _refuse_body(request)
        if refusal:
            return refusal
        if request.method == "HEAD":
            request.method = "GET"  # the framework's routes know no HEAD; the server sends its answer without the body
        try:
            response = view(request, *args, **kwargs)
        except Http404 as missing:
            return problems.not_here(request, missing)
        if isinstance(response, HttpResponseNotAllowed):
            return _not_allowed(request, response)
        return response

    # Sessions prove themselves in `auth`; tokens and anonymous programs have nothing that could be forged.
    before.csrf_exempt = True  # type: ignore[attr-defined]
    return before


def _refuse_body(request: HttpRequest) -> HttpResponse | None:
    """Judge a body by its headers, before any of it is read."""
    if request.method not in BODIES:
        return None
    stated = request.headers.get("Content-Length", "")
    if not stated and request.headers.get("Transfer-Encoding"):
        return problem(400, "Say how long the body is (Content-Length).")
    length = int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 20 else 0
    if length > LARGEST_BODY:
        return problem(413, f"The body is larger than {LARGEST_BODY // 1024} kB.")
    if length and request.content_type != JSON:
        return problem(415, f"Send JSON, and say so: Content-Type: {JSON}.")
    return None


def _not_allowed(request: HttpRequest, response: HttpResponseNotAllowed) -> HttpResponse:
    named = set(response.headers["Allow"].split(", "))
    allowed = ", ".join(sorted(named | ({"HEAD"} if "GET" in named else set())))
    text = f"{(request.method or '')[:20]} is not possible here. Possible: {allowed}."
    return problem(405, text, headers={"Allow": allowed})


def _unknown(request: HttpRequest) -> HttpResponse:
    return problems.not_here(request, Http404())
