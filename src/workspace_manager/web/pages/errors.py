"""Error pages, in the frame of all pages, with the cause and what to do.

None of them queries the database, which may be the cause: the signed-in person is shown if known
already, and links have no counts.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.functional import LazyObject, empty

from workspace_manager.contract.message import Message
from workspace_manager.records.models import Person
from workspace_manager.web.failures import Failure


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """400: the browser sent something that cannot be read."""
    return _page(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: signed in, but not for this. The reason is ours when the view gave one."""
    return _page(request, 403, reason=str(exception))


def forged(request: HttpRequest) -> HttpResponse:
    """403: what was sent has no proof that a page of ours asked for it."""
    return _page(request, 403, template="403_csrf.html")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """404: there is nothing here, or nothing for this person; which of the two is not told."""
    return _page(request, 404)


def too_large(request: HttpRequest) -> HttpResponse:
    """413: more than any form here takes."""
    return _page(request, 413)


def too_often(request: HttpRequest, seconds: int) -> HttpResponse:
    """429: this person has asked for too many changes."""
    page = _page(request, 429, seconds=seconds)
    page.headers["Retry-After"] = str(seconds)
    return page


def server_error(request: HttpRequest) -> HttpResponse:
    """500: our fault."""
    return _page(request, 500)


def failed(request: HttpRequest, failure: Failure) -> HttpResponse:
    """Answer 502 or 503 to an external failure."""
    page = _page(request, failure.status, template="failed.html", failure=failure)
    if failure.retry_after is not None:
        page.headers["Retry-After"] = str(failure.retry_after)
    return page


def not_now(request: HttpRequest, why: Message) -> HttpResponse:
    """503: nothing is wrong with what was asked."""
    return _page(request, 503, reason=why)


def _page(request: HttpRequest, status: int, *, template: str = "", **context: Any) -> HttpResponse:
    # Without Django's context processors, which read sessions.
    known = {
        "request": request,
        "signed_in": _signed_in_person(request),
        "csrf_token": get_token(request),
        "quiet": True,
    }
    page = render_to_string(template or f"{status}.html", {**known, **context})
    return HttpResponse(page, status=status)


def _signed_in_person(request: HttpRequest) -> Person | None:
    """Return the signed-in person, if known already."""
    user = getattr(request, "user", None)
    if isinstance(user, LazyObject) and user.__dict__.get("_wrapped", empty) is empty:
        return None
    return user if isinstance(user, Person) else None
