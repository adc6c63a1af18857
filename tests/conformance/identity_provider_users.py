"""Cases of users and of their attributes, at any identity provider."""

import json
import uuid
from collections.abc import Collection
from typing import Any, ClassVar

from tests.conformance.identity_provider import PASSWORD, IdentityProviderPlace
from tests.systems.identity_provider import provider_under_test as others
from workspace_manager.contract.connector import Facts, Target
from workspace_manager.systems.identity_provider import names
from workspace_sandbox.conformance.case import Case, Seen, Selector, Thing


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
    listed = True
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
        wishes: dict[str, Facts] = {
            "locked out": {"enabled": False, "sessions": 0},
            "let in": {"enabled": True},
        }
        return wishes.get(wish)

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
        found: dict[str, Any] = self.seen(it).get(self.name(it)) or {}
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


class Credentials(IdentityProviderCase):
    """`identity_provider.credentials`: what a user signs in with; the user stays."""

    kind = "identity_provider.credentials"
    wishes = ("gone",)
    taking = ("gone",)

    def target(self, it: Thing, wish: str) -> Target:
        return names.user_target(self.sub(it), self.name(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        return None

    def prepare(self, it: Thing, wish: str) -> None:
        it.ids["sub"] = self.make(it, self.name(it), self.mark(it))

    def _facts(self, user: dict[str, Any]) -> dict[str, Any]:
        kept = self.place.admin.get(f"/users/{user['id']}/credentials").json()
        return {**super()._facts(user), "credentials": len(kept)}

    def done(self, it: Thing, wish: str) -> bool:
        found = self.seen(it).get(self.name(it))
        return found is None or not found["credentials"]

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        return self._neighbours(it)

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "DELETE", "path": "/credentials/"}]
