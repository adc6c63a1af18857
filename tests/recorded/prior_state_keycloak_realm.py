"""The state of Keycloak's realm before a recorded call: people and clients, as far as call and
answer tell.
"""

import re
from typing import Any
from urllib.parse import parse_qs, unquote

from tests.recorded.reading import Exchange
from workspace_sandbox.stand_ins.identity_provider import (
    IdentityProviderStandIn,
    clients,
    people,
    sessions,
)
from workspace_sandbox.stand_ins.identity_provider.realm import Realm

PASSWORD = "a password of eight and more"
LIMITED = {"max": "255"}
Doc = dict[str, Any]
"""Members as the interface shows them."""


class RealmBefore:
    """Bring people and things into the realm that an exchange is about."""

    def __init__(self, stand_in: IdentityProviderStandIn, name: str) -> None:
        self.stand_in = stand_in
        self.name = name

    @property
    def realm(self) -> Realm:
        found = self.stand_in.store.realm(self.name)
        assert found is not None
        return found

    def person(self, shown: Doc | None = None, *, password: str = "", **more: Any) -> Doc:
        """Have somebody who looks as shown: with a whole profile where nothing is said."""
        given = {**_profile(shown or {}), **more}
        realm = self.realm
        known = realm.users.get(str(given.get("id"))) or realm.user_named(str(given["username"]))
        if known is not None:
            self._drop(known)
        user = people.create(realm, given, import_=True)
        if shown and "attributes" in shown:
            user["attributes"] = dict(shown["attributes"])
        if password:
            people.set_password(realm, user, password, seed=True)
        return user

    def _drop(self, user: Doc) -> None:
        sessions.forget_user(self.realm, user["id"])
        del self.realm.users[user["id"]]

    def client(self, client_id: str, **more: Any) -> Doc:
        """Have a client of this id; a built-in one stays as it is, but for what is given."""
        realm = self.realm
        known = realm.client_named(client_id)
        if known is None:
            known = clients.create(
                realm, {"clientId": client_id, "directAccessGrantsEnabled": True, **more}
            )
        else:
            known.update(more)
        return known

    def service_account(self, client_id: str, number: str, *roles: str) -> Doc:
        """Have a client with an account of its own, under a given number and with these roles of
        realm-management.
        """
        client = self.client(client_id, secret="s", serviceAccountsEnabled=True)
        account = clients.service_account(self.realm, client)
        if account is None:
            clients.enable_service_account(self.realm, client)
            account = clients.service_account(self.realm, client)
        assert account is not None
        users = self.realm.users
        del users[account["id"]]
        account["id"] = number or account["id"]
        users[account["id"]] = account
        management = self.realm.client_named("realm-management")
        assert management is not None
        named = [self.realm.role_named(role, management["id"]) for role in roles]
        account["roles"] += [role["id"] for role in named if role]
        return client


def _profile(shown: Doc) -> Doc:
    """A person's root members, complete where the recording says nothing."""
    name = str(shown.get("username") or "bob")
    base = {"username": name, "enabled": True, "emailVerified": True}
    whole = {
        "email": f"{re.sub(r'[^a-z0-9]', '', name.lower()) or 'x'}@example.org",
        "firstName": "F",
        "lastName": "L",
    }
    kept = (
        "id",
        "username",
        "email",
        "firstName",
        "lastName",
        "enabled",
        "emailVerified",
        "createdTimestamp",
    )
    said = {key: shown[key] for key in kept if key in shown}
    return {**base, **({} if "id" in shown and "username" in shown else whole), **said}


# --- what an exchange says ------------------------------------------------------------------------


def realm_of(exchange: Exchange) -> str:
    found = re.match(r"(?:/admin)?/realms/([^/]+)", exchange.path)
    return unquote(found[1]) if found else "workspace"


def shown_people(exchange: Exchange) -> list[Doc]:
    """The people in the answer, in the form the interface gives them."""
    found = exchange.json()
    documents = found if isinstance(found, list) else [found]
    return [one for one in documents if isinstance(one, dict) and "username" in one and "id" in one]


def sent_document(exchange: Exchange) -> Doc:
    found = exchange.sent()
    return found if isinstance(found, dict) else {}


def form(exchange: Exchange) -> dict[str, str]:
    return {
        name: values[0] for name, values in parse_qs(exchange.body, keep_blank_values=True).items()
    }


def query(exchange: Exchange) -> dict[str, str]:
    return {
        name: values[0] for name, values in parse_qs(exchange.query, keep_blank_values=True).items()
    }
