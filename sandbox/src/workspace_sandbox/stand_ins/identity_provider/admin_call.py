"""One request to the admin interface: who asks, with which rights, and the table of routes the
modules fill.

Rights are the roles of `realm-management` (or of `<realm>-realm` in master). To manage something
includes to view it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from aiohttp import web

from workspace_sandbox.routes import Route
from workspace_sandbox.stand_ins.identity_provider import representations, tokens
from workspace_sandbox.stand_ins.identity_provider.answers import (
    Doc,
    Refusal,
    forbidden,
    not_found,
    unauthorized,
)
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.realm import MASTER, Realm, Store
from workspace_sandbox.stand_ins.identity_provider.representations import Representation


@dataclass(frozen=True)
class Caller:
    """The asker: the realm of the token, its client and user."""

    realm: Realm
    client: Doc
    user: Doc

    def rights(self, target: Realm) -> set[str]:
        """Return the administration roles of this caller in the target realm."""
        name = f"{target.name}-realm" if self.realm.name == MASTER else "realm-management"
        holder = self.realm.client_named(name)
        if holder is None or self.realm.name not in {MASTER, target.name}:
            return set()
        held = self.realm.roles_of(self.user)
        return {str(role["name"]) for role in held if role["containerId"] == holder["id"]}


@dataclass
class AdminCall(Call):
    caller: Caller = field(kw_only=True)

    def __post_init__(self) -> None:
        self.rights = self.caller.rights(self.realm)

    # --- rights -----------------------------------------------------------------------------------

    def may_view(self, what: str) -> bool:
        return bool(self.rights & {f"view-{what}", f"manage-{what}"})

    def may_query(self, what: str) -> bool:
        return self.may_view(what) or f"query-{what}" in self.rights

    def need_view(self, what: str) -> None:
        if not self.may_view(what):
            raise forbidden()

    def need_query(self, what: str) -> None:
        if not self.may_query(what):
            raise forbidden()

    def need_manage(self, what: str) -> None:
        if f"manage-{what}" not in self.rights:
            raise forbidden()

    # --- body and answer --------------------------------------------------------------------------

    def _is_json(self) -> None:
        if self.content_type not in {"", "application/json", "application/octet-stream"}:
            raise Refusal(
                415, {"error": "The content-type header value did not match the value in @Consumes"}
            )

    def json(self, wanted: Representation) -> Doc:
        self._is_json()
        return representations.read(self.body, wanted)

    def json_list(self, wanted: Representation) -> list[Doc]:
        self._is_json()
        return representations.read_list(self.body, wanted)

    def location(self, path: str) -> str:
        return f"{self.base}/admin/realms/{self.realm.name}/{path}"

    # --- query ------------------------------------------------------------------------------------

    def text(self, name: str) -> str | None:
        return self.request.query.get(name)

    def flag(self, name: str, default: bool | None = None) -> bool | None:
        value = self.request.query.get(name)
        return default if value is None else value.lower() == "true"

    def number(self, name: str, default: int) -> int:
        """A number of the query; what is none makes the route not match at all, as in the
        real one.
        """
        value = self.request.query.get(name)
        if value is None or value == "":
            return default
        try:
            return int(value)
        except ValueError as wrong:
            raise not_found("HTTP 404 Not Found") from wrong

    def page(self, items: list[Any], most: int = -1) -> list[Any]:
        """Return `first` and `max`; negative means from the start and all."""
        first, size = max(self.number("first", 0), 0), self.number("max", most)
        return items[first:] if size < 0 else items[first : first + size]


Handler: TypeAlias = Callable[[AdminCall], Awaitable[web.Response]]


class Routes:
    """The routes of one module: method, pattern with `{name}` for one path segment, and who calls
    them.
    """

    def __init__(self) -> None:
        self.table: list[tuple[str, list[str], Handler]] = []
        self.routes: list[Route] = []

    def on(self, method: str, pattern: str, *callers: str) -> Callable[[Handler], Handler]:
        def keep(handler: Handler) -> Handler:
            self.table.append((method, pattern.split("/"), handler))
            below = f"/{pattern}" if pattern else ""
            self.routes.append(Route(method, f"/admin/realms/{{realm}}{below}", callers))
            return handler

        return keep


def match(pattern: list[str], segments: list[str]) -> dict[str, str] | None:
    if len(pattern) != len(segments):
        return None
    parts: dict[str, str] = {}
    for wanted, given in zip(pattern, segments, strict=True):
        if wanted.startswith("{"):
            parts[wanted[1:-1]] = given
        elif wanted != given:
            return None
    return parts


def caller_of(store: Store, base: str, token: str | None) -> Caller:
    """Return who holds this token. Raises Refusal 401 for none, a foreign one, an expired one, and
    one whose session ended.
    """
    claims = representations.claims_unchecked(token or "")
    prefix = f"{base}/realms/"
    issuer = str(claims.get("iss", ""))
    realm = store.realm(issuer.removeprefix(prefix)) if issuer.startswith(prefix) else None
    if realm is None or not token:
        raise unauthorized()
    try:
        bearer = tokens.check(realm, issuer, token)
    except tokens.InvalidToken as rejected:
        raise unauthorized() from rejected
    return Caller(realm, bearer.client, bearer.user)
