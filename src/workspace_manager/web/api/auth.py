"""Authentication of the API, and the role of each route; a route without a role does not exist.

A role also says which scopes of API tokens open it. A program sends an API token; a page's script
sends the session cookie and, to change something, a proof of its origin (`X-CSRFToken`). An invalid
token is refused even if a session is sent too.
"""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from ninja.errors import AuthenticationError
from ninja.utils import check_csrf

from workspace_manager.access import permissions, policy, provider_state, tokens
from workspace_manager.access.provider_state import Access
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.core.account_link import PROVIDER
from workspace_manager.core.refusal import Forbidden
from workspace_manager.records.models import (
    ApiToken,
    Component,
    Permission,
    Person,
    Project,
    Stack,
)
from workspace_manager.web.api.problems import ShutOut
from workspace_manager.web.messages import message
from workspace_manager.web.rate import SAFE, count_change
from workspace_manager.web.sign_in.marks import PROVES, READS_ONLY
from workspace_manager.wiring import connected_systems

LONGEST_TOKEN = 200
FOREIGN = {"cross-site", "same-site"}
"""Values of `Sec-Fetch-Site` for requests of another site's page."""


Scope = ApiToken.Scope
ADMINISTERING: Final = (Scope.ADMINISTRATION, Scope.OPERATION)
CHANGING: Final = (Scope.OWN, *ADMINISTERING)


@dataclass(frozen=True)
class Role:
    """The role that a route requires; calling it returns the person, or raises the answer's error
    (401, 403, 429). `or_has`: a permission that replaces the administrator's role. `tokens`: the
    only scopes that open it; None: those of its method.
    """

    name: str
    may_be_nobody: bool = False
    must_administer: bool = False
    or_has: str = ""
    tokens: tuple[Scope, ...] | None = None

    def scopes(self, method: str) -> tuple[Scope, ...]:
        """Return the token scopes that open a route of this role."""
        if self.tokens is not None:
            return self.tokens
        changing = ADMINISTERING if self.must_administer else CHANGING
        return (Scope.READ, *changing) if method in SAFE else changing

    def __call__(self, request: HttpRequest) -> "Person | Nobody":
        token = _token(request)
        person = self._by_token(request, token) if token else _by_session(request)
        if person is None:
            if self.may_be_nobody:
                return NOBODY
            raise AuthenticationError
        count_change(request, person, token=token or "")
        if self.must_administer and not self._administers(person):
            raise Forbidden(message("administrators_only"))
        return person

    def _administers(self, person: Person) -> bool:
        return person.is_administrator or bool(self.or_has and permissions.has(person, self.or_has))

    def _by_token(self, request: HttpRequest, clear: str) -> Person:
        """Return the person of a valid token. Raises AuthenticationError for any other token, and
        Forbidden if its scope is not sufficient.
        """
        token = tokens.find_token(clear)
        if token is None:
            raise AuthenticationError
        _refuse_shut_out(request, token.person)
        opened_by = self.scopes(request.method or "")
        if token.scope not in opened_by:
            raise Forbidden(_too_small(token, opened_by))
        setattr(request, PROVES, token.scope == Scope.OPERATION)
        token.person.limited_to = token.permissions
        return token.person


class Nobody:
    """A visitor without a session or token, on a route that allows it."""


NOBODY: Final = Nobody()
anyone: Final = Role("anyone", may_be_nobody=True)
signed_in: Final = Role("signed in")
administrator: Final = Role("administrator", must_administer=True)
deciding_registrations: Final = Role(
    "administrator, or a person with the permission `approve_registrations`",
    must_administer=True,
    or_has=Permission.Name.APPROVE_REGISTRATIONS,
)
in_a_session: Final = Role("signed in, with a browser", tokens=())
"""Closed to tokens, which could otherwise make another token that outlives them."""
shown_a_secret: Final = Role("signed in", tokens=CHANGING)
"""The answer can be read only once, so reading it counts as a change."""
freshly_signed_in: Final = Role(
    "administrator, signed in some minutes ago", must_administer=True, tokens=(Scope.OPERATION,)
)
"""The only token that opens it is one made on the server, whose operator could do all of it
anyway.
"""


def _too_small(token: ApiToken, needed: tuple[Scope, ...]) -> Message:
    # The scope of the server cannot be requested here.
    known = [scope.value for scope in needed if scope is not Scope.OPERATION]
    if not known:
        return message("no_token_may")
    return message("scope_too_small", scope=token.scope, needed=", ".join(known))


def _token(request: HttpRequest) -> str | None:
    """Return the sent token, or None without one. Raises AuthenticationError for text that cannot
    be a token.
    """
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.strip().partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 0 < len(token) <= LONGEST_TOKEN or not token.isascii():
        raise AuthenticationError
    return token


def _refuse_shut_out(request: HttpRequest, person: Person) -> None:
    """Refuse a token of a person who may not sign in at the identity provider. Raises
    AuthenticationError, and Unavailable if that is unknown.
    """
    state, may = provider_state.current_state(person, connected_systems)
    if state != provider_state.State.ENABLED:
        raise ShutOut
    if may is Access.NOTHING or (may is Access.READING and request.method not in SAFE):
        raise _not_now("only_reading" if may is Access.READING else "nothing_now")
    setattr(request, READS_ONLY, may is Access.READING)


def _not_now(why: str) -> Unavailable:
    return Unavailable(message(why), kind=PROVIDER, doing=message("identifying"))


def _by_session(request: HttpRequest) -> Person | None:
    """Return the person of the session. Raises Forbidden for a change without the CSRF token of our
    pages.
    """
    person = request.user
    if not isinstance(person, Person) or not person.is_active:
        return None
    if request.method not in SAFE and check_csrf(request):
        raise Forbidden(message("forged"))
    return person


def person_of(request: HttpRequest) -> Person:
    """Return the signed-in person of a request."""
    person = getattr(request, "auth", None)
    if not isinstance(person, Person):
        raise AuthenticationError
    return person


def refuse_unread(request: HttpRequest) -> None:
    """Raise Forbidden for a GET that uses something up, if a page of another site caused it or it
    is a HEAD request. Raise Unavailable while access is read-only.
    """
    # The gate has turned HEAD into GET by now.
    if request.META["REQUEST_METHOD"] == "HEAD":
        raise Forbidden(message("unread"))
    if request.headers.get("Sec-Fetch-Site") in FOREIGN:
        raise Forbidden(message("foreign_site"))
    if getattr(request, READS_ONLY, False):
        raise _not_now("only_reading")


def refuse_unless_owner(person: Person, thing: policy.Thing) -> None:
    """Raise Forbidden for a person who sees the thing and may not change it: neither its owner nor
    an administrator of such things.

    See docs/explanation/permissions.md#the-policy.
    """
    if not policy.may_change(person, thing):
        raise Forbidden(message("owner_only"))


def refuse_unless_snapshots(person: Person, thing: Component | Stack) -> None:
    """Raise Forbidden for a person who sees the thing and may not make snapshots of it."""
    if not policy.may_snapshot(person, thing):
        raise Forbidden(message("owner_only"))


def refuse_unless_managing(person: Person, project: Project) -> None:
    """Raise Forbidden for a person who sees the project and may not manage its members.

    See docs/explanation/permissions.md#project-roles.
    """
    if not policy.may_manage_members(person, project):
        raise Forbidden(message("owner_or_manager_only"))
