"""Answers outside a view: a problem document for programs, a page for people.

They are for a wrong host name, an unreadable session, and our own errors.
"""

import sys
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict

from workspace_manager.snapshots.upload import TooLarge
from workspace_manager.web.api import problems
from workspace_manager.web.failures import failure_of
from workspace_manager.web.messages import message
from workspace_manager.web.pages import errors
from workspace_manager.web.uploads import find_largest_body, is_upload

API = "/api/"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400."""
    if _of_a_program(request):
        return problems.problem(400, message("not_readable"))
    return errors.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403."""
    if _of_a_program(request):
        return problems.problem(403, message("not_allowed"))
    return errors.forbidden(request, exception)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001  Django's own
    """Answer 403 to a request without the CSRF token of our pages."""
    if _of_a_program(request):
        return problems.problem(403, message("forged"))
    return errors.forged(request)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404."""
    if _of_a_program(request):
        return problems.not_here(request, exception)
    return errors.not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer by the exception; 500 for our own errors. Django calls it while handling the
    exception.
    """
    failure = failure_of(sys.exc_info()[1])
    if _of_a_program(request):
        if failure is not None:
            return problems.failed(request, failure)
        return problems.problem(500, message("our_mistake"))
    return errors.server_error(request) if failure is None else errors.failed(request, failure)


class RefuseLargeBodies:
    """Middleware that answers 413 before it reads such a body; nothing we take is that large, but
    an uploaded file.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_upload(request):
            # Its route reads it while it arrives: nobody looks for a CSRF token in it before.
            request.POST = QueryDict()
            most, why = find_largest_body(), TooLarge(settings.SNAPSHOT_BOUNDS.upload_bytes).message
        else:
            most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            why = message("too_large", count=most // 1000)
        stated = request.META.get("CONTENT_LENGTH") or ""
        if stated.isdecimal() and (len(stated) > 20 or 0 < most < int(stated)):
            if _of_a_program(request):
                return problems.problem(413, why)
            return errors.too_large(request)
        return self.get_response(request)


def _of_a_program(request: HttpRequest) -> bool:
    return request.path.startswith(API)
