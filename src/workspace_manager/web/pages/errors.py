"""What people see when a page cannot be shown: in the same frame, with what happened and what to
do.
"""

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseForbidden,
    HttpResponseNotFound,
    HttpResponseServerError,
)
from django.template.loader import render_to_string


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """400: the browser sent something that cannot be read."""
    return HttpResponseBadRequest(render_to_string("400.html", request=request))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: signed in, but not for this. The reason is ours when the view gave one."""
    context = {"reason": str(exception)}
    return HttpResponseForbidden(render_to_string("403.html", context, request=request))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """404: there is nothing here, or nothing for this person; which of the two is not told."""
    return HttpResponseNotFound(render_to_string("404.html", request=request))


def server_error(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """500: our fault. Rendered without the request, since the session or the database may be what
    broke.
    """
    return HttpResponseServerError(render_to_string("500.html"))


def too_large(request: HttpRequest) -> HttpResponse:
    """413: more than any form here takes."""
    return HttpResponse(render_to_string("413.html", request=request), status=413)


def too_often(request: HttpRequest, seconds: int) -> HttpResponse:
    """429: this person has asked for too many changes."""
    page = render_to_string("429.html", {"seconds": seconds}, request=request)
    return HttpResponse(page, status=429, headers={"Retry-After": str(seconds)})
