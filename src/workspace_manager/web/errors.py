"""What is answered when no address came to answer: programs get a problem document, people a page.

These four run where a request broke off before or outside its view: a foreign host name, a session that cannot be read, a mistake of ours.
"""

from django.http import HttpRequest, HttpResponse

from workspace_manager.web.api import problems
from workspace_manager.web.pages import errors

API = "/api/"
NOT_READABLE = "The request cannot be read, or it asks for a host that is not this workspace's."
NOT_ALLOWED = "This is not allowed."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    if _of_a_program(request):
        return problems.problem(400, NOT_READABLE)
    return errors.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    if _of_a_program(request):
        return problems.problem(403, NOT_ALLOWED)
    return errors.forbidden(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    if _of_a_program(request):
        return problems.not_here(request, exception)
    return errors.not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500."""
    if _of_a_program(request):
        return problems.problem(500, problems.OURS)
    return errors.server_error(request)


def _of_a_program(request: HttpRequest) -> bool:
    return request.path.startswith(API)
