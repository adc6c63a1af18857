"""Cases of the ontology editor: projects and who may use them."""

import contextlib
import uuid
from collections.abc import Collection
from typing import Any

import httpx

from tests.conformance import webprotege_database
from workspace_manager.contract.connector import CallPolicy, Facts, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.ontology_editor import names
from workspace_manager.systems.ontology_editor.client.calls import CALLS
from workspace_manager.systems.ontology_editor.connector import OntologyEditor, connect
from workspace_manager.systems.ontology_editor.settings import Settings
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

KEY, POOR_KEY = "canary-key-of-ours", "canary-key-of-somebody"


class OntologyEditorPlace(Place):
    """Its stand-in, patched."""

    system = "ontology_editor"
    poor = ("a key without roles",)

    def __init__(
        self, door: StandIn, url: str = "", key: str = KEY, poor_key: str = POOR_KEY
    ) -> None:
        """`url`: of what is behind the door, for other hands."""
        super().__init__()
        self.door = self.front = door
        self.key, self.poor_key = self.vault.stand(key), self.vault.stand(poor_key)
        headers = {"Authorization": f"apikey {key}", "Accept": "application/json"}
        base = f"{url or door.url}/data/projects"
        self.hands = httpx.Client(base_url=base, headers=headers, trust_env=False)

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "OntologyEditorPlace":
        stand_in = OntologyEditorStandIn(api_key=KEY)
        stack.enter_context(running(stand_in))
        stand_in.add_key(POOR_KEY, "somebody")
        return cls(stand_in)

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> OntologyEditor:
        values: dict[str, Any] = {"host": self.front.url, "api_key": Secret(self.key), **changes}
        return connect(Settings(**values), self.vault.resolve, calls=calls or CALLS)

    def moved(self) -> OntologyEditor:
        return self.connect(host="http://127.0.0.1:9")

    def wrong_password(self) -> OntologyEditor:
        return self.connect(api_key=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> OntologyEditor:
        return self.connect(api_key=Secret(self.poor_key))

    def make(self, owner: str, description: str, title: str = "Pottery") -> str:
        """Make a project with our key; gives its id."""
        body = {
            "projectOwner": owner,
            "displayName": title,
            "langTag": "en",
            "description": description,
        }
        made = self.hands.post("", json=body)
        assert made.status_code == 201, made.text
        return str(made.json()["_id"])

    def projects(self) -> dict[str, dict[str, Any]]:
        """Everything there is, with the members, whom the interface does not show."""
        found: dict[str, dict[str, Any]] = self.front.what_exists()["projects"]
        return found


class WebProtegePlace(OntologyEditorPlace):
    """A real WebProtégé behind a door."""

    part = "WebProtege"
    """Test ids are ASCII."""
    real = "WebProtégé"

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "WebProtegePlace":
        door = FaultProxy(real.address.url)
        stack.enter_context(running(door))
        poor = real.key_of(f"somebody-{uuid.uuid4().hex[:8]}")
        place = cls(door, real.address.url, real.address.api_key.reveal(), poor.reveal())
        place.database = stack.enter_context(webprotege_database.open_database(real.address))
        return place

    database: webprotege_database.Database

    def projects(self) -> dict[str, dict[str, Any]]:
        return webprotege_database.projects(self.database)


class OntologyCase(Case):
    """What projects and memberships share."""

    place: OntologyEditorPlace

    def owner(self, it: Thing) -> str:
        return f"ada-{it.token}"

    def mark(self, it: Thing) -> str:
        return f"mark-{it.token}"

    def seen(self, it: Thing) -> Seen:
        return {
            number: one
            for number, one in self.place.projects().items()
            if it.token in f"{one['owner']} {one['description']} {one['displayName']}"
        }


class Project(OntologyCase):
    """`ontology_editor.project`."""

    kind = "ontology_editor.project"
    listed = True
    wishes = ("made", "gone")
    taking = ("gone",)
    halves = {"made": ("in the trash",), "gone": ("in the trash",)}
    foreign = {"made": ("our mark, another owner",), "gone": ("of another owner",)}

    def target(self, it: Thing, wish: str) -> Target:
        if wish == "made":
            return names.project(self.mark(it), self.owner(it))
        number = it.ids.get("id") or str(uuid.uuid5(uuid.NAMESPACE_OID, it.token))
        return names.existing_project(number, mark=self.mark(it), owner=self.owner(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        wished: Facts = {"title": "Pottery", "description": f"Of {it.token}", "language": "en"}
        return wished if wish == "made" else None

    def prepare(self, it: Thing, wish: str) -> None:
        if wish == "gone":
            marked = names.with_mark(f"Of {it.token}", self.mark(it))
            it.ids["id"] = self.place.make(self.owner(it), marked)

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.prepare(it, "gone")
        self.place.hands.delete(f"/{it.ids['id']}").raise_for_status()

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        marked = names.with_mark(f"Of {it.token}", self.mark(it))
        it.ids["id"] = self.place.make(f"eve-{it.token}", marked)

    def done(self, it: Thing, wish: str) -> bool:
        standing = [
            one
            for one in self.seen(it).values()
            if names.carries_mark(one["description"], self.mark(it)) and not one["inTrash"]
        ]
        if wish == "gone":
            return not standing
        return [(one["owner"], one["displayName"]) for one in standing] == [
            (self.owner(it), "Pottery")
        ]

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        """Marks that begin like ours, and projects of the same owner with the same words."""
        words = f"Of {it.token}"
        return [
            self.place.make(self.owner(it), names.with_mark(words, f"{self.mark(it)}2")),
            self.place.make(self.owner(it), names.with_mark(words, self.mark(it)[:-1])),
            self.place.make(self.owner(it), words),
            self.place.make(f"x{self.owner(it)}", f"{words} {self.mark(it)}"),
        ]

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        if wish == "made":
            return [{"method": "POST", "path": "^/data/projects$"}]
        return [{"method": "DELETE", "path": "^/data/projects/"}]


class Membership(OntologyCase):
    """`ontology_editor.membership`: the editor never tells who is a member."""

    kind = "ontology_editor.membership"
    wishes = ("given", "to view", "gone")
    taking = ("gone",)
    halves = {"given": ("with less",), "gone": ("with less", "in the trash")}
    blind = True

    def user(self, it: Thing) -> str:
        return f"bob-{it.token}"

    def target(self, it: Thing, wish: str) -> Target:
        number = it.ids.get("id") or str(uuid.uuid5(uuid.NAMESPACE_OID, it.token))
        return names.membership(number, self.user(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        wanted: dict[str, Facts] = {
            "given": {"permission": "EDIT"},
            "to view": {"permission": "VIEW"},
        }
        return wanted.get(wish)

    def prepare(self, it: Thing, wish: str) -> None:
        if "id" not in it.ids:
            it.ids["id"] = self.place.make(self.owner(it), f"Of {it.token}")
        if wish != "given":
            self._give(it, self.user(it))

    def _give(self, it: Thing, user: str, permission: str = "EDIT") -> None:
        path = f"/{it.ids['id']}/collaborators/{user}"
        self.place.hands.put(path, json={"permission": permission}).raise_for_status()

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.prepare(it, "given")
        self._give(it, self.user(it), "VIEW")
        if how == "in the trash":
            self.place.hands.delete(f"/{it.ids['id']}").raise_for_status()

    def seen(self, it: Thing) -> Seen:
        """Projects, and members by their names."""
        found = super().seen(it)
        members = found.get(it.ids.get("id", ""), {}).get("roles", {})
        return {**found, **members}

    def done(self, it: Thing, wish: str) -> bool:
        have = self.seen(it).get(self.user(it)) or []
        role = {"given": "CAN_EDIT", "to view": "CAN_VIEW"}.get(wish)
        return role in have if role else not have

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        self.prepare(it, "given")
        found = [f"{self.user(it)}2", f"x{self.user(it)}", self.user(it)[:-1]]
        for user in found:
            self._give(it, user)
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "DELETE" if wish == "gone" else "PUT", "path": "/collaborators/"}]


CASES = (Project, Membership)
