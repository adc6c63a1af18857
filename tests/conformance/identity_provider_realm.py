"""Case of the parts of a realm, at any identity provider."""

from collections.abc import Collection
from typing import Any, ClassVar

from tests.conformance.identity_provider import IdentityProviderPlace
from workspace_manager.contract.connector import Facts, Target
from workspace_manager.contract.realm import ClientWants
from workspace_manager.systems.identity_provider import names
from workspace_manager.systems.identity_provider.realm.wants import client_want
from workspace_sandbox.conformance.case import Case, Seen, Selector, Thing


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
        client: dict[str, Any] = seen.get(self.client_id(it)) or {}
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
                return not client
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
