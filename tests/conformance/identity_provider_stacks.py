"""Cases of what a knowledge stack has at any identity provider: its groups and its client."""

import uuid
from collections.abc import Collection
from typing import Any

from tests.conformance.identity_provider import IdentityProviderPlace
from workspace_manager.contract.connector import Facts, Target
from workspace_manager.systems.identity_provider import names
from workspace_manager.systems.identity_provider.realm.stack_clients import FIXED
from workspace_sandbox.conformance.case import Case, Seen, Selector, Thing

MARKED = names.GROUP_MARK


class Group(Case):
    """`identity_provider.group`: made, with its members, and emptied; deleted."""

    kind = "identity_provider.group"
    listed = True
    wishes = ("made", "one for another", "gone")
    taking = ("gone",)
    halves = {
        "made": ("ours, and empty", "ours, with somebody else in it"),
        "gone": ("ours, and empty",),
    }
    foreign = {
        "made": ("without a mark", "with another mark"),
        "gone": ("without a mark", "with another mark"),
    }
    place: IdentityProviderPlace

    def name(self, it: Thing) -> str:
        return f"{it.token}-admin"

    def target(self, it: Thing, wish: str) -> Target:
        return names.group_target(self.name(it), f"mark-{it.token}")

    def want(self, it: Thing, wish: str) -> Facts | None:
        if wish == "gone":
            return None
        gone = str(uuid.uuid5(uuid.NAMESPACE_OID, f"gone {it.token}"))
        return {"members": [*sorted([self._user(it, "ada"), gone])]}

    def _user(self, it: Thing, who: str) -> str:
        """The id of somebody, made at first use."""
        if who not in it.ids:
            made = self.place.admin.post("/users", json={"username": f"{who}-{it.token}"})
            it.ids[who] = made.headers["location"].rpartition("/")[2]
        return it.ids[who]

    def prepare(self, it: Thing, wish: str) -> None:
        ada, eve = (self._user(it, who) for who in ("ada", "eve"))
        if wish != "made":
            self._make(self.name(it), f"mark-{it.token}", ada if wish == "gone" else eve)

    def _make(self, name: str, mark: str, *members: str) -> None:
        attributes = {MARKED: [mark]} if mark else {}
        made = self.place.admin.post("/groups", json={"name": name, "attributes": attributes})
        assert made.status_code == 201, made.text
        for user in members:
            path = f"/users/{user}/groups/{made.headers['location'].rpartition('/')[2]}"
            self.place.admin.put(path).raise_for_status()

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        inside = (self._user(it, "eve"),) if "somebody else" in how else ()
        self._make(self.name(it), f"mark-{it.token}", *inside)

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        self._make(self.name(it), f"mark-{it.token}2" if "another" in how else "")

    def seen(self, it: Thing) -> Seen:
        query = {"search": it.token, "briefRepresentation": "false"}
        groups = self.place.admin.get("/groups", params=query).raise_for_status().json()
        return {
            str(group["name"]): {
                "id": group["id"],
                "attributes": group["attributes"],
                "members": sorted(
                    user["id"]
                    for user in self.place.admin.get(f"/groups/{group['id']}/members").json()
                ),
            }
            for group in groups
        }

    def done(self, it: Thing, wish: str) -> bool:
        found = self.seen(it).get(self.name(it))
        if wish == "gone":
            return found is None or found["attributes"].get(MARKED) != [f"mark-{it.token}"]
        return (
            found is not None
            and found["members"] == [self._user(it, "ada")]
            and found["attributes"] == {MARKED: [f"mark-{it.token}"]}
        )

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name = self.name(it)
        found = [f"{name}2", f"x{name}", name.upper(), f"{name}/x"]
        for other in found:
            self._make(other, f"mark-{it.token}", self._user(it, "eve"))
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        join: Selector = {"method": "PUT", "path": "/groups/"}
        leave: Selector = {"method": "DELETE", "path": "/users/.*/groups/"}
        return {
            "made": [{"method": "POST", "path": "/groups$"}, join],
            "one for another": [join, leave],
            "gone": [{"method": "DELETE", "path": "/groups/"}],
        }[wish]


class Client(Case):
    """`identity_provider.client`: made with its secret and its mapper; deleted."""

    kind = "identity_provider.client"
    listed = True
    wishes = ("made", "gone")
    taking = ("gone",)
    halves = {
        "made": ("with another address besides", "with another secret", "that may do more"),
        "gone": ("with another secret",),
    }
    foreign = {
        "made": ("without a mark", "with another mark"),
        "gone": ("without a mark", "with another mark"),
    }
    place: IdentityProviderPlace

    def target(self, it: Thing, wish: str) -> Target:
        return names.stack_client_target(names.stack_client_id(it.token), f"mark-{it.token}")

    def want(self, it: Thing, wish: str) -> Facts | None:
        if wish == "gone":
            return None
        url = f"http://{it.token}.example:20000"
        return {
            "redirect_uris": [f"{url}/callback"],
            "post_logout_redirect_uris": [f"{url}/"],
            "base_url": f"{url}/",
            "name": f"Stack {it.token}",
        }

    def secrets(self, it: Thing, wish: str) -> dict[str, str]:
        if wish == "gone":
            return {}
        it.ids.setdefault("secret", self.place.vault.canary())
        return {"secret": self.place.vault.keep(f"vault/{it.token}", it.ids["secret"])}

    def prepare(self, it: Thing, wish: str) -> None:
        if wish == "gone":
            self._make(it.token, f"mark-{it.token}")

    def _make(self, client_id: str, mark: str, **more: Any) -> None:
        attributes = {names.CLIENT_MARK: mark} if mark else {}
        body = {"clientId": client_id, "secret": "an old one", "attributes": attributes, **more}
        made = self.place.admin.post("/clients", json=body)
        assert made.status_code == 201, made.text

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        more: dict[str, Any] = {}
        if "address" in how:
            more["redirectUris"] = ["https://old.example/*"]
        elif "more" in how:
            more |= {"serviceAccountsEnabled": True, "directAccessGrantsEnabled": True}
        self._make(it.token, f"mark-{it.token}", **more)

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        self._make(it.token, f"mark-{it.token}2" if "another" in how else "")

    def seen(self, it: Thing) -> Seen:
        query = {"clientId": it.token, "search": "true"}
        clients = self.place.admin.get("/clients", params=query).raise_for_status().json()
        members = ("id", "secret", "redirectUris", "baseUrl", "name", *FIXED)
        return {
            str(one["clientId"]): {
                **{name: one.get(name) for name in members},
                "attributes": {
                    name: value
                    for name, value in one["attributes"].items()
                    if name.startswith(("workspace", "post.logout", "pkce"))
                },
                "mappers": {m["name"]: m["config"] for m in one.get("protocolMappers") or []},
            }
            for one in clients
        }

    def done(self, it: Thing, wish: str) -> bool:
        found: dict[str, Any] = self.seen(it).get(it.token) or {}
        mark = found.get("attributes", {}).get(names.CLIENT_MARK)
        if wish == "gone":
            return bool(mark != f"mark-{it.token}")
        want = self.want(it, wish) or {}
        return bool(
            mark == f"mark-{it.token}"
            and found["redirectUris"] == want["redirect_uris"]
            and found["attributes"]["post.logout.redirect.uris"] == f"{want['base_url']}"
            and found["attributes"]["pkce.code.challenge.method"] == "S256"
            and found["secret"] == self.place.vault.text(self.secrets(it, wish)["secret"])
            and {name: found[name] for name in FIXED} == FIXED
            and found["mappers"]["groups"]["full.path"] == "false"
        )

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        found = [f"{it.token}2", f"x{it.token}", it.token.upper()]
        for client_id in found:
            self._make(client_id, f"mark-{it.token}")
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return {
            "made": [{"method": "POST", "path": "/clients$"}],
            "gone": [{"method": "DELETE", "path": "/clients/"}],
        }[wish]
