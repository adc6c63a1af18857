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
    """Answer 400: the browser sent something unreadable."""
    return _page(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403 to a signed-in person without the right. The view may have given a reason."""
    return _page(request, 403, reason=str(exception))


def forged(request: HttpRequest) -> HttpResponse:
    """Answer 403 to a request without the CSRF token of our pages."""
    return _page(request, 403, template="403_csrf.html")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Answer 404: there is nothing here, or nothing for this person. The page does not say
    which.
    """
    return _page(request, 404)


def too_large(request: HttpRequest) -> HttpResponse:
    """Answer 413: the body is larger than any form here."""
    return _page(request, 413)


def too_often(request: HttpRequest, seconds: int) -> HttpResponse:
    """Answer 429: the person has ordered too many changes."""
    page = _page(request, 429, seconds=seconds)
    page.headers["Retry-After"] = str(seconds)
    return page


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 to an error of ours."""
    return _page(request, 500)


def failed(request: HttpRequest, failure: Failure) -> HttpResponse:
    """Answer 502 or 503 to an external failure."""
    page = _page(request, failure.status, template="failed.html", failure=failure)
    if failure.retry_after is not None:
        page.headers["Retry-After"] = str(failure.retry_after)
    return page


def not_now(request: HttpRequest, why: Message) -> HttpResponse:
    """Answer 503 to a correct request that cannot be served now."""
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
