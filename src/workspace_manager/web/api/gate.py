"""The gate before every address of the API: it refuses bodies that are too large or of another
type, and turns the router's own answers into problem documents.

The framework answers HTML if no route, method or body fits.
"""

import contextlib
from collections.abc import Callable
from datetime import UTC
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver, re_path
from django.utils import timezone, translation
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.http import require_safe

from workspace_manager.web.api import problems
from workspace_manager.web.api.problems import problem
from workspace_manager.web.messages import message
from workspace_manager.web.uploads import is_upload

LARGEST_BODY = 64 * 1024
JSON = "application/json"
BODIES = {"POST", "PUT", "PATCH", "DELETE"}

DOCUMENTS = {"openapi-json", "openapi-view"}
"""Views of the framework that would answer any method."""

View = Callable[..., HttpResponseBase]


def add_gate(urls: list[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """Put the gate before every address, and add an address for everything no route knows."""
    for url in urls:
        assert isinstance(url, URLPattern)
        is_document = url.name in DOCUMENTS
        answering = gate(require_safe(url.callback) if is_document else url.callback)
        url.callback = answering if is_document else in_asked_language(answering)
    return [*urls, re_path(r"^.*$", in_asked_language(gate(_unknown)), name="unknown")]


def in_asked_language(view: View) -> View:
    """Answer programs in English and UTC, or in the language of `Accept-Language`. The language of
    the token's person does not count.
    """

    @wraps(view)
    def within(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override(_language(request)), timezone.override(UTC):
            return view(request, *args, **kwargs)

    return within


def _language(request: HttpRequest) -> str:
    """Return the language of the header alone: the pages' cookie is for pages."""
    for code, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        with contextlib.suppress(LookupError):
            return get_supported_language_variant(code)
    return settings.LANGUAGE_CODE


def gate(view: View) -> View:
    """Wrap one view."""

    @wraps(view)
    def before(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        refusal = _refuse_body(request)
        if refusal:
            return refusal
        if request.method == "HEAD":
            # The framework's routes know no HEAD; the server sends the answer of GET without its
            # body.
            request.method = "GET"
        try:
            response = view(request, *args, **kwargs)
        except Http404 as missing:
            return problems.not_here(request, missing)
        if isinstance(response, HttpResponseNotAllowed):
            return _not_allowed(request, response)
        return response

    # `auth` demands a CSRF token of sessions; tokens and anonymous programs need none.
    before.csrf_exempt = True  # type: ignore[attr-defined]
    return before


def _refuse_body(request: HttpRequest) -> HttpResponse | None:
    """Return a refusal of a body by its headers, before any of it is read."""
    if request.method not in BODIES:
        return None
    stated = request.headers.get("Content-Length", "")
    if not stated and request.headers.get("Transfer-Encoding"):
        return problem(400, message("no_length"))
    length = int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 20 else 0
    if is_upload(request):
        return None
    if length > LARGEST_BODY:
        return problem(413, message("too_large", count=LARGEST_BODY // 1024))
    if length and request.content_type != JSON:
        return problem(415, message("send_json", type=JSON))
    return None


def _not_allowed(request: HttpRequest, response: HttpResponseNotAllowed) -> HttpResponse:
    named = set(response.headers["Allow"].split(", "))
    allowed = ", ".join(sorted(named | ({"HEAD"} if "GET" in named else set())))
    text = message("method", method=(request.method or "")[:20], allowed=allowed)
    return problem(405, text, headers={"Allow": allowed})


def _unknown(request: HttpRequest) -> HttpResponse:
    return problems.not_here(request, Http404())
