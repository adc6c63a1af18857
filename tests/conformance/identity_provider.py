"""Cases of the identity provider: users, their attributes, and the parts of the realm; on the stand-in and on Keycloak."""

import contextlib
import json
import time
import uuid
from collections.abc import Collection
from dataclasses import replace
from typing import Any, ClassVar

import httpx

from tests.conformance.case import Case, Place, Seen, Selector, Thing
from tests.conformance.doors import HttpDoor
from tests.systems.identity_provider import place as others
from workspace_manager.contract.connector import CallPolicy, Facts, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.stand_in import StandIn, running
from workspace_manager.systems.identity_provider import names
from workspace_manager.systems.identity_provider.connector import IdentityProvider, connect
from workspace_manager.systems.identity_provider.emulator import IdentityProviderStandIn
from workspace_manager.systems.identity_provider.realm.wants import (
    ClientWants,
    RealmWants,
    client_want,
)
from workspace_manager.systems.identity_provider.settings import Settings

REALM = {
    "realm": "conformance",
    "enabled": True,
    "internationalizationEnabled": True,
    "supportedLocales": ["en", "de"],
    "defaultLocale": "en",
    "accessTokenLifespan": 900,
}
PASSWORD = "the same for everybody"
TOKEN_S = 40
"""Seconds for which a token of ours is used again; the master realm's live for 60."""


class IdentityProviderPlace(Place):
    """A realm that was set up, an administrator, and accounts that may see less."""

    system = "identity_provider"
    reads = r"(GET|HEAD) |POST /realms/\S+/token"
    poor = ("no roles", "query-users alone")

    def __init__(self, settings: Settings, door: StandIn, own: Settings) -> None:
        """`own`: the way past the door, for looking and for other hands."""
        super().__init__()
        self.door = door
        self.settings = settings
        self.hands = others.Place(own)
        self.vault.standing.append(_text(settings.admin_password))
        self._admin: httpx.Client | None = None
        self._admin_until = 0.0
        self.set_up()

    def set_up(self) -> None:
        system = connect(self.hands.settings, self.vault.resolve, RealmWants(self.settings.realm))
        with self.hands.admin() as admin:
            admin.post("/clients", json=others.PROBE).raise_for_status()
        for change in system.realm_changes():
            system.connectors[change.kind].apply(change)

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> IdentityProvider:
        return connect(replace(self.settings, **changes), self.vault.resolve, calls=calls)

    def moved(self) -> IdentityProvider:
        return self.connect(url="http://127.0.0.1:9")

    def wrong_password(self) -> IdentityProvider:
        return self.connect(admin_password=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> IdentityProvider:
        roles = {"query-users"} if name == "query-users alone" else set[str]()
        client = f"poor-{self.poor.index(name)}"
        made = others.service_account(self.admin, self.settings, client, roles)
        self.vault.stand(_text(made.admin_password))
        return connect(made, self.vault.resolve)

    @property
    def admin(self) -> httpx.Client:
        """The admin API without our connectors."""
        if self._admin is None or time.monotonic() > self._admin_until:
            with self.hands.admin() as fresh:
                headers = fresh.headers["Authorization"]
            self._admin = self._admin or httpx.Client(
                base_url=f"{self.hands.settings.url}/admin/realms/{self.settings.realm}"
            )
            self._admin.headers["Authorization"] = headers
            self._admin_until = time.monotonic() + TOKEN_S
        return self._admin


def _text(secret: Secret | None) -> str:
    return secret.reveal() if secret else ""


class StandInPlace(IdentityProviderPlace):
    """Its stand-in."""

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "StandInPlace":
        password = "canary-of-the-administrator"
        stand_in = IdentityProviderStandIn(
            realm=str(REALM["realm"]),
            admin_password=password,
            declared_attributes=(),
            realm_settings=REALM,
        )
        stack.enter_context(running(stand_in))
        settings = _settings(stand_in.url, "admin", Secret(password))
        return cls(settings, stand_in, settings)


class KeycloakPlace(IdentityProviderPlace):
    """A real Keycloak behind a door."""

    part = "Keycloak"
    real = "Keycloak"

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "KeycloakPlace":
        real.create_realm(REALM)
        door = HttpDoor(real.address.url)
        stack.enter_context(running(door))
        admin = (real.address.admin_username, real.address.admin_password)
        return cls(_settings(door.url, *admin), door, _settings(real.address.url, *admin))


def _settings(url: str, username: str, password: Secret) -> Settings:
    return Settings(
        url=url,
        realm=str(REALM["realm"]),
        admin_username=username,
        admin_password=password,
        client_id=others.MANAGER,
        client_secret=Secret("canary-of-the-manager"),
    )


class IdentityProviderCase(Case):
    """What users and attributes share."""

    place: IdentityProviderPlace

    def name(self, it: Thing) -> str:
        return f"ada-{it.token}"

    def mark(self, it: Thing) -> str:
        return f"mark-{it.token}"

    def make(self, it: Thing, username: str, mark: str, **more: Any) -> str:
        """Make a user by other hands; gives its id."""
        body = {
            "username": username,
            "enabled": True,
            "email": f"{username}@example.org",
            "emailVerified": True,
            "firstName": "Ada",
            "lastName": "Example",
            "credentials": [{"type": "password", "value": PASSWORD}],
            "attributes": {
                names.MARK_ATTRIBUTE: [mark],
                "locale": ["de"],
                "timezone": ["Europe/Berlin"],
                **more.pop("attributes", {}),
            },
            **more,
        }
        made = self.place.admin.post("/users", json=body)
        assert made.status_code == 201, made.text
        return str(made.headers["location"].rpartition("/")[2])

    def seen(self, it: Thing) -> Seen:
        query = {"search": f"*{it.token}*", "briefRepresentation": "false"}
        users = self.place.admin.get("/users", params=query).raise_for_status().json()
        return {str(user["username"]): self._facts(user) for user in users}

    def _facts(self, user: dict[str, Any]) -> dict[str, Any]:
        members = ("id", "enabled", "email", "emailVerified", "firstName", "lastName", "attributes")
        open_sessions = self.place.admin.get(f"/users/{user['id']}/sessions").json()
        return {name: user.get(name) for name in members} | {"sessions": len(open_sessions)}

    def sub(self, it: Thing) -> str:
        """The id of the thing; of what never was, one that nobody has."""
        return it.ids.get("sub") or str(uuid.uuid5(uuid.NAMESPACE_OID, it.token))

    def _neighbours(self, it: Thing, **more: Any) -> Collection[str]:
        name = self.name(it)
        found = [f"{name}2", f"x{name}", f"{name}.b", name.replace("-", "_")]
        for number, username in enumerate(found):
            self.make(it, username, f"{self.mark(it)}{number}", **more)
        return found


class User(IdentityProviderCase):
    """`identity_provider.user`."""

    kind = "identity_provider.user"
    wishes = ("made", "locked out", "let in", "gone", "gone by mark")
    taking = ("locked out", "gone", "gone by mark")
    halves = {
        "made": ("ours, and disabled", "ours, and bare"),
        "locked out": ("disabled, with a session", "enabled, without a session"),
        "gone": ("disabled, with a session",),
        "gone by mark": ("ours, and disabled",),
    }
    foreign = {
        "made": ("without a mark", "with another mark"),
        "gone": ("without a mark", "with another mark"),
        "gone by mark": ("without a mark", "with another mark"),
    }

    def target(self, it: Thing, wish: str) -> Target:
        if wish in {"made", "gone by mark"}:
            return names.new_user_target(self.name(it), self.mark(it))
        mark = self.mark(it) if wish == "gone" else ""
        return names.user_target(self.sub(it), self.name(it), mark)

    def want(self, it: Thing, wish: str) -> Facts | None:
        if wish == "made":
            return others.person(self.name(it))
        return {"locked out": {"enabled": False, "sessions": 0}, "let in": {"enabled": True}}.get(
            wish
        )

    def secrets(self, it: Thing, wish: str) -> dict[str, str]:
        if wish != "made":
            return {}
        text = others.password_hash(PASSWORD).reveal()
        self.place.vault.canaries += json.loads(json.loads(text)["secretData"]).values()
        return {"password_hash": self.place.vault.keep("vault/hash", text)}

    def prepare(self, it: Thing, wish: str) -> None:
        if wish == "made":
            return
        it.ids["sub"] = self.make(it, self.name(it), self.mark(it), enabled=wish != "let in")
        if wish == "locked out":
            assert self._sign_in(it)["status"] == 200

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        bare = {"emailVerified": False, "firstName": "", "lastName": ""} if "bare" in how else {}
        it.ids["sub"] = self.make(it, self.name(it), self.mark(it), **bare)
        if "with a session" in how:
            assert self._sign_in(it)["status"] == 200
        if "disabled" in how:
            self.place.admin.put(f"/users/{it.ids['sub']}", json={"enabled": False})

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        mark = f"{self.mark(it)}2" if how == "with another mark" else ""
        it.ids["sub"] = self.make(it, self.name(it), mark)

    def done(self, it: Thing, wish: str) -> bool:
        found = self.seen(it).get(self.name(it))
        match wish:
            case "made":
                return (
                    bool(found)
                    and self._as_wished(it, found)
                    and self._sign_in(it)["status"] == 200
                )
            case "locked out":
                return not found or (not found["enabled"] and not found["sessions"])
            case "let in":
                return bool(found) and bool(found["enabled"])
        return not found

    def _as_wished(self, it: Thing, found: dict[str, Any]) -> bool:
        attributes = {
            names.MARK_ATTRIBUTE: [self.mark(it)],
            "locale": ["de"],
            "timezone": ["Europe/Berlin"],
        }
        members = {
            "enabled": True,
            "email": f"{self.name(it)}@example.org",
            "emailVerified": True,
            "firstName": "Ada",
            "lastName": "Example",
            "attributes": attributes,
        }
        return all(found[name] == value for name, value in members.items())

    def _sign_in(self, it: Thing) -> dict[str, Any]:
        return self.place.hands.sign_in(self.name(it), PASSWORD)

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        return self._neighbours(it)

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        put: Selector = {"method": "PUT", "path": "/users/"}
        return {
            "made": [{"method": "POST", "path": "/users$"}],
            "locked out": [put, {"method": "POST", "path": "/logout$"}],
            "let in": [put],
        }.get(wish, [{"method": "DELETE", "path": "/users/"}])


class Attributes(IdentityProviderCase):
    """`identity_provider.attributes`: two secret ones and one in clear, among others that stay."""

    kind = "identity_provider.attributes"
    wishes = ("written", "cleared", "gone")
    taking = ("cleared", "gone")
    never_satisfied = ("gone",)
    halves = {
        "written": ("one of them", "an old value"),
        "cleared": ("one of them",),
        "gone": ("one of them",),
    }
    CLEAR: ClassVar[str] = "filesvc_login_name"
    SECRET: ClassVar[tuple[str, ...]] = ("filesvc_app_password", "sql_password")

    def target(self, it: Thing, wish: str) -> Target:
        return names.attributes_target(self.sub(it), self.name(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        if wish == "written":
            return {self.CLEAR: f"login-{it.token}", **dict.fromkeys(self.SECRET, "set")}
        return dict.fromkeys((self.CLEAR, *self.SECRET)) if wish == "cleared" else None

    def secrets(self, it: Thing, wish: str) -> dict[str, str]:
        if wish == "cleared":
            return {}
        for name in (*self.SECRET, self.CLEAR):
            if f"{name}/{it.token}" not in it.ids:
                it.ids[f"{name}/{it.token}"] = self.place.vault.canary()
            self.place.vault.keep(f"vault/{name}/{it.token}", it.ids[f"{name}/{it.token}"])
        kept = self.SECRET if wish == "written" else (*self.SECRET, self.CLEAR)
        return {name: f"vault/{name}/{it.token}" for name in kept}

    def prepare(self, it: Thing, wish: str) -> None:
        some = {name: ["old"] for name in (self.CLEAR, *self.SECRET)} if wish != "written" else {}
        it.ids["sub"] = self.make(it, self.name(it), self.mark(it), attributes=some)

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        left = {self.CLEAR: ["old"]} if how == "an old value" else {self.SECRET[0]: ["old"]}
        it.ids["sub"] = self.make(it, self.name(it), self.mark(it), attributes=left)

    def done(self, it: Thing, wish: str) -> bool:
        found = self.seen(it).get(self.name(it))
        if found is None:
            return wish != "written"
        attributes = dict(found["attributes"])
        stayed = {
            names.MARK_ATTRIBUTE: [self.mark(it)],
            "locale": ["de"],
            "timezone": ["Europe/Berlin"],
        }
        wished = {}
        if wish == "written":
            refs = self.secrets(it, wish)
            wished = {name: [self.place.vault.text(ref)] for name, ref in refs.items()}
            wished[self.CLEAR] = [f"login-{it.token}"]
        rest = {name: found[name] for name in ("enabled", "emailVerified", "firstName")}
        return attributes == {**stayed, **wished} and rest == {
            "enabled": True,
            "emailVerified": True,
            "firstName": "Ada",
        }

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        return self._neighbours(
            it, attributes={name: ["of somebody else"] for name in (self.CLEAR, *self.SECRET)}
        )

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "PUT", "path": "/users/"}]


class Realm(Case):
    """`identity_provider.realm`: a client with its mapper, and a declaration in the profile."""

    kind = "identity_provider.realm"
    wishes = ("client made", "mapper made", "declared", "client gone", "mapper gone")
    taking = ("client gone", "mapper gone")
    halves = {
        "client made": ("with another address", "with another secret"),
        "mapper made": ("with another audience",),
        "declared": ("visible to people",),
    }
    place: IdentityProviderPlace
    MAPPER: ClassVar[dict[str, str]] = {
        "included.client.audience": "drive",
        "access.token.claim": "true",
    }

    def client_id(self, it: Thing) -> str:
        return f"https://{it.token}.example"

    def target(self, it: Thing, wish: str) -> Target:
        realm = self.place.settings.realm
        if wish == "declared":
            return names.profile_target(realm)
        if wish.startswith("client"):
            return names.client_target(realm, self.client_id(it))
        return names.mapper_target(realm, self.client_id(it), "audience")

    def want(self, it: Thing, wish: str) -> Facts | None:
        match wish:
            case "client made":
                address = (f"{self.client_id(it)}/callback",)
                return client_want(ClientWants(self.client_id(it), address))
            case "mapper made":
                return {"protocol_mapper": "oidc-audience-mapper", "config": dict(self.MAPPER)}
            case "declared":
                return {"private": [f"own_{it.token}"], "declared": []}
        return None

    def secrets(self, it: Thing, wish: str) -> dict[str, str]:
        if wish != "client made":
            return {}
        ref = f"vault/client/{it.token}"
        it.ids.setdefault("secret", self.place.vault.canary())
        return {"client_secret": self.place.vault.keep(ref, it.ids["secret"])}

    def prepare(self, it: Thing, wish: str) -> None:
        if wish in {"mapper made", "client gone", "mapper gone"}:
            number = self._make(self.client_id(it))
            if wish == "mapper gone":
                self._map(number, self.MAPPER)

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        if wish == "declared":
            profile = self.place.admin.get("/users/profile").json()
            everybody = {"view": ["admin", "user"], "edit": ["admin", "user"]}
            profile["attributes"].append({"name": f"own_{it.token}", "permissions": everybody})
            self.place.admin.put("/users/profile", json=profile).raise_for_status()
            return
        address = {} if how == "with another secret" else {"redirectUris": ["https://old.example/"]}
        number = self._make(self.client_id(it), secret="an old one", **address)
        if wish == "mapper made":
            self._map(number, {**self.MAPPER, "included.client.audience": "somebody"})

    def _make(self, client_id: str, **more: Any) -> str:
        body = {"clientId": client_id, "redirectUris": [f"{client_id}/callback"], **more}
        made = self.place.admin.post("/clients", json=body)
        assert made.status_code == 201, made.text
        return str(made.headers["location"].rpartition("/")[2])

    def _map(self, number: str, config: dict[str, str]) -> None:
        body = {
            "name": "audience",
            "protocol": "openid-connect",
            "protocolMapper": "oidc-audience-mapper",
            "config": config,
        }
        path = f"/clients/{number}/protocol-mappers/models"
        self.place.admin.post(path, json=body).raise_for_status()

    def seen(self, it: Thing) -> Seen:
        clients = self.place.admin.get("/clients").raise_for_status().json()
        profile = self.place.admin.get("/users/profile").raise_for_status().json()
        found = {
            str(one["clientId"]): {
                **{name: one[name] for name in ("redirectUris", "publicClient", "enabled")},
                "secret": one.get("secret"),
                "mappers": {m["name"]: m["config"] for m in one.get("protocolMappers") or []},
            }
            for one in clients
            if it.token in one["clientId"]
        }
        declared = [one for one in profile["attributes"] if it.token in one["name"]]
        return {**found, **{one["name"]: one["permissions"] for one in declared}}

    def done(self, it: Thing, wish: str) -> bool:
        seen = self.seen(it)
        client = seen.get(self.client_id(it))
        match wish:
            case "client made":
                address = f"{self.client_id(it)}/callback"
                text = self.place.vault.text(self.secrets(it, wish)["client_secret"])
                return (
                    bool(client) and address in client["redirectUris"] and client["secret"] == text
                )
            case "mapper made":
                return (
                    bool(client)
                    and self.MAPPER.items() <= client["mappers"].get("audience", {}).items()
                )
            case "declared":
                return seen.get(f"own_{it.token}") == {"view": ["admin"], "edit": ["admin"]}
            case "client gone":
                return client is None
        return not client or "audience" not in client["mappers"]

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name = self.client_id(it)
        found = [f"{name}/", f"{name}2", f"x{name}"]
        for client_id in found:
            self._map(self._make(client_id), self.MAPPER)
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return {
            "client made": [{"method": "POST", "path": "/clients$"}],
            "mapper made": [{"method": "POST", "path": "/protocol-mappers/models$"}],
            "declared": [{"method": "PUT", "path": "/users/profile$"}],
            "client gone": [{"method": "DELETE", "path": "/clients/"}],
            "mapper gone": [{"method": "DELETE", "path": "/protocol-mappers/models/"}],
        }[wish]


CASES = (User, Attributes, Realm)
