"""Calls about the realm, its user profile, its clients, their mappers and scopes.

Everything here is written as a whole document that was read just before: a missing part is lost
silently (docs/systems/identity-provider.md#the-user-profile).
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from workspace_manager.contract.answer import segment
from workspace_manager.contract.errors import Denied, Invalid
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client.answers import (
    CLIENT_ABSENT,
    MAPPER_ABSENT,
    OUR_FAULT,
    document,
    documents,
    new_id,
    understand,
    unexpected,
)
from workspace_manager.systems.identity_provider.client.paging import Pages, read_whole_list
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.client.users import Wire
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.settings import Settings

REALM = f"{SYSTEM}.realm"
LISTING = message("listing_clients")
SCOPE_ABSENT = "Could not find client scope"
_NEVER_WRITTEN_BACK = ("access", "secret", "protocolMappers")
"""Parts of a client that have calls of their own, or are about the reader. A masked secret must not
be written back.
"""


class RealmClient:
    """The calls about the realm."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    # --- realm and profile ------------------------------------------------------------------------

    def discovery(self) -> dict[str, Any]:
        """Return the realm's public discovery document; needs no token. Raises Invalid without such
        a realm.
        """
        path = (
            f"/realms/{quote(self.wire.settings.realm, safe='')}/.well-known/openid-configuration"
        )
        answer = self.wire.http.send(
            "GET", path, doing=message("reading_discovery"), anonymous=True
        )
        understand(answer, ok=(200,), realm=self.wire.settings.realm)
        return document(answer)

    def get_realm(self) -> dict[str, Any]:
        """Return the realm's settings. Without the role view-realm only its name is shown."""
        return document(
            self.wire.send("GET", self.wire.realm, doing=message("reading_realm"), kind=REALM)
        )

    def put_realm(self, settings: Mapping[str, bool]) -> None:
        """Change these settings of the realm; all others stay as they are."""
        self.wire.send(
            "PUT",
            self.wire.realm,
            doing=message("changing_realm"),
            kind=REALM,
            ok=(204,),
            body=dict(settings),
        )

    def get_profile(self) -> dict[str, Any]:
        """Return the user profile: declared attributes, and who may see and edit them. Raises
        Invalid if it has none.
        """
        answer = self.wire.send(
            "GET", f"{self.wire.users}/profile", doing=message("reading_profile"), kind=REALM
        )
        profile = document(answer)
        if not isinstance(profile.get("attributes"), list):
            raise unexpected(answer, message("expected_profile", shape=answer.shape))
        return profile

    def put_profile(self, profile: Mapping[str, Any]) -> None:
        """Write the whole user profile. Refuses one without attributes: Keycloak 26 accepts it and
        deletes all declarations.

        See docs/systems/identity-provider.md#the-user-profile.
        """
        doing = message("changing_profile")
        if not profile.get("attributes"):
            raise Invalid(
                message("would_erase_profile"),
                kind=REALM,
                doing=doing,
                advice=OUR_FAULT,
            )
        path = f"{self.wire.users}/profile"
        self.wire.send("PUT", path, doing=doing, kind=REALM, body=dict(profile))

    def required_actions(self) -> list[dict[str, Any]]:
        """Return the required actions at a sign-in, and which of them are enabled."""
        path = f"{self.wire.realm}/authentication/required-actions"
        answer = self.wire.send("GET", path, doing=message("reading_actions"), kind=REALM)
        return documents(answer)

    def brokers(self) -> list[dict[str, Any]]:
        """Return the other identity providers that people may come from."""
        path = f"{self.wire.realm}/identity-provider/instances"
        answer = self.wire.send("GET", path, doing=message("reading_brokers"), kind=REALM)
        return documents(answer)

    # --- clients ----------------------------------------------------------------------------------

    def find_client(self, client_id: str) -> dict[str, Any] | None:
        """Return the client with exactly this client id. Raises Denied if no client at all is shown
        to us.
        """
        found = next(
            (c for c in self._clients(clientId=client_id) if c.get("clientId") == client_id), None
        )
        if found is None:
            self.some_client()
        return found

    def some_client(self) -> dict[str, Any]:
        """Return any client, as proof that we see them. Raises Denied if none is shown to us."""
        if clients := self._clients(first="0", max="1"):
            return clients[0]
        raise _none_shown(self.wire.settings)

    def all_clients(self) -> list[dict[str, Any]]:
        """Return every client of the realm, read page by page. Raises Denied if none is shown to
        us.
        """
        clients = read_whole_list(Pages(self.wire, f"{self.wire.realm}/clients", LISTING, REALM))
        if not clients:
            raise _none_shown(self.wire.settings)
        return clients

    def create_client(self, body: Mapping[str, Any], secret: Secret | None = None) -> str:
        """Make a client and return its internal id (not the client id). Raises Conflict for a taken
        client id.
        """
        whole = {**body, "secret": secret.reveal()} if secret else dict(body)
        path = f"{self.wire.realm}/clients"
        return new_id(
            self.wire.send(
                "POST", path, doing=message("creating_client"), kind=REALM, ok=(201,), body=whole
            )
        )

    def put_client(self, client: Mapping[str, Any], secret: Secret | None = None) -> None:
        """Write a whole client that was read and changed. Mappers stay as they are, and so does the
        secret without `secret`.
        """
        doing = message("changing_client")
        body = {name: value for name, value in client.items() if name not in _NEVER_WRITTEN_BACK}
        if secret:
            body["secret"] = secret.reveal()
        path = self._client(str(client["id"]), doing)
        self.wire.send(
            "PUT", path, doing=doing, kind=REALM, ok=(204,), absent=CLIENT_ABSENT, body=body
        )

    def delete_client(self, internal_id: str) -> None:
        """Delete a client with its mappers. Raises NotFound the second time."""
        doing = message("deleting_client")
        path = self._client(internal_id, doing)
        self.wire.send("DELETE", path, doing=doing, kind=REALM, ok=(204,), absent=CLIENT_ABSENT)

    def client_secret(self, internal_id: str) -> Secret:
        """Return a client's secret, to compare it with ours."""
        doing = message("reading_client_secret")
        path = f"{self._client(internal_id, doing)}/client-secret"
        body = document(self.wire.send("GET", path, doing=doing, kind=REALM, absent=CLIENT_ABSENT))
        return Secret(str(body.get("value") or ""), name="client secret")

    # --- mappers and scopes -----------------------------------------------------------------------

    def create_mapper(self, internal_id: str, mapper: Mapping[str, Any]) -> None:
        """Add a protocol mapper to a client. Raises Conflict for a taken name."""
        doing = message("creating_mapper")
        path = f"{self._client(internal_id, doing)}/protocol-mappers/models"
        self.wire.send(
            "POST",
            path,
            doing=doing,
            kind=REALM,
            ok=(201,),
            absent=CLIENT_ABSENT,
            body=dict(mapper),
        )

    def put_mapper(self, internal_id: str, mapper: Mapping[str, Any]) -> None:
        """Write a whole protocol mapper that was read and changed."""
        doing = message("changing_mapper")
        path = self._mapper(internal_id, str(mapper["id"]), doing)
        self.wire.send(
            "PUT", path, doing=doing, kind=REALM, ok=(204,), absent=MAPPER_ABSENT, body=dict(mapper)
        )

    def delete_mapper(self, internal_id: str, mapper_id: str) -> None:
        """Remove a protocol mapper from a client. Raises NotFound the second time."""
        doing = message("deleting_mapper")
        path = self._mapper(internal_id, mapper_id, doing)
        self.wire.send("DELETE", path, doing=doing, kind=REALM, ok=(204,), absent=MAPPER_ABSENT)

    def client_scopes(self) -> list[dict[str, Any]]:
        """Return every client scope with its mappers."""
        path = f"{self.wire.realm}/client-scopes"
        return documents(self.wire.send("GET", path, doing=message("listing_scopes"), kind=REALM))

    def create_client_scope(self, body: Mapping[str, Any]) -> str:
        """Make a client scope and return its id. Raises Conflict for a taken name."""
        doing = message("creating_scope")
        path = f"{self.wire.realm}/client-scopes"
        return new_id(
            self.wire.send("POST", path, doing=doing, kind=REALM, ok=(201,), body=dict(body))
        )

    def put_client_scope(self, scope: Mapping[str, Any]) -> None:
        """Write a whole client scope that was read and changed."""
        doing = message("changing_scope")
        tail = segment(str(scope["id"]), kind=REALM, doing=doing)
        path = f"{self.wire.realm}/client-scopes/{tail}"
        self.wire.send(
            "PUT", path, doing=doing, kind=REALM, ok=(204,), absent=SCOPE_ABSENT, body=dict(scope)
        )

    def _clients(self, **params: str) -> list[dict[str, Any]]:
        path = f"{self.wire.realm}/clients"
        answer = self.wire.send("GET", path, doing=LISTING, kind=REALM, params=params)
        return documents(answer)

    def _client(self, internal_id: str, doing: Message) -> str:
        return f"{self.wire.realm}/clients/{segment(internal_id, kind=REALM, doing=doing)}"

    def _mapper(self, internal_id: str, mapper_id: str, doing: Message) -> str:
        tail = segment(mapper_id, kind=REALM, doing=doing)
        return f"{self._client(internal_id, doing)}/protocol-mappers/models/{tail}"


def _none_shown(settings: Settings) -> Denied:
    """Return the error for an empty list of clients. A realm always has its built-in clients: with
    query-clients alone, an empty list is shown (seen on Keycloak 26.7.3).
    """
    return Denied(
        message("no_client_shown"),
        kind=REALM,
        doing=LISTING,
        advice=message("give_view_clients", client=settings.roles_of),
    )
