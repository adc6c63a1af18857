"""Roles of pages. Access is denied by default: only `page` makes a page, and it requires a role."""

from collections.abc import Iterable
from enum import Enum
from functools import wraps
from urllib.parse import urlencode, urlsplit

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from workspace_manager.access import permissions
from workspace_manager.records.models import Permission, Person
from workspace_manager.web.pages.answers import P, View, on_error
from workspace_manager.web.rate import count_change
from workspace_manager.web.sign_in.marks import ENDED


class Role(Enum):
    """The role that a page requires. The lookup of a thing decides whether it is the visitor's."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"
    ADMINISTRATOR = "administrator"
    DECIDES_REGISTRATIONS = "administrator, or a person who may approve registrations"


def page(pattern: str, view: View[P], role: Role, *methods: str, name: str) -> URLPattern:
    """One address with its role and its methods (GET alone if none is named)."""
    allowed = methods or ("GET",)

    @on_error(None)
    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.method not in {*allowed, "HEAD" if "GET" in allowed else ""}:
            return HttpResponseNotAllowed(allowed)
        refusal = _refuse(request, role)
        if refusal is None:
            _refuse_unstorable(request, kwargs.values())
        return refusal or view(request, *args, **kwargs)

    # Read by the test that requests every address in every role.
    guarded.role = role  # type: ignore[attr-defined]
    guarded.methods = allowed  # type: ignore[attr-defined]
    return path(pattern, guarded, name=name)


def _refuse(request: HttpRequest, role: Role) -> HttpResponse | None:
    if role is Role.ANYONE:
        return None
    person = request.user
    if not isinstance(person, Person) or not person.is_active:
        return _to_sign_in(request)
    if not _suffices(person, role):
        raise PermissionDenied(_("This page is for administrators only."))
    count_change(request, person)
    return None


def _suffices(person: Person, role: Role) -> bool:
    if role is Role.DECIDES_REGISTRATIONS:
        return permissions.has(person, Permission.Name.APPROVE_REGISTRATIONS)
    return role is not Role.ADMINISTRATOR or person.is_administrator


def _refuse_unstorable(request: HttpRequest, named: Iterable[object]) -> None:
    """Raise BadRequest for a NUL: PostgreSQL can neither store it nor look for it, and nobody types
    one.
    """
    typed = (
        text for sent in (request.GET, request.POST) for _, texts in sent.lists() for text in texts
    )
    if any("\x00" in str(text) for text in (*named, *typed)):
        raise BadRequest


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a visitor to the sign-in, and afterwards to the requested page."""
    # First, tell people whose session just ended that it did.
    ended = {ENDED: "1"} if getattr(request, ENDED, False) else {}
    if live(request):
        here = urlsplit(HtmxDetails(request).current_url or "").path or "/"
        return HttpResponseClientRedirect(f"/sign-in?{urlencode({'next': here, **ended})}")
    here = request.get_full_path() if request.method in {"GET", "HEAD"} else "/"
    return HttpResponseRedirect(f"/sign-in?{urlencode({'next': here, **ended})}")


def live(request: HttpRequest) -> bool:
    """Return whether htmx sent the request: then the answer is a part of the page."""
    return bool(HtmxDetails(request))


def person_of(request: HttpRequest) -> Person:
    """Return the signed-in person. Raises PermissionDenied without one, which the roles of `page`
    rule out.
    """
    if not isinstance(request.user, Person):
        raise PermissionDenied
    return request.user
