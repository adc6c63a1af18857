"""Cases of the triplestore: accounts and repositories; on the stand-ins of both products."""

import contextlib
from collections.abc import Collection
from typing import Any, ClassVar

import httpx

from workspace_manager.contract.connector import CallPolicy, Facts, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.client.calls import CALLS
from workspace_manager.systems.triplestore.connector import Triplestore, connect
from workspace_manager.systems.triplestore.settings import Settings
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

PASSWORD = "canary-of-the-administrator"
CONFIG = """\
@prefix config: <tag:rdf4j.org,2023:config/> .
[] a config:Repository ; config:rep.id "{name}" ;
   config:rep.impl [ config:rep.type "openrdf:SailRepository" ;
                     config:sail.impl [ config:sail.type "openrdf:MemoryStore" ] ] .
"""
"""An empty repository of RDF4J's own."""


class OpenGdbPlace(Place):
    """OpenGDB's stand-in."""

    system = "triplestore"
    part = "OpenGDB's stand-in"
    reads = r"(GET|HEAD) |POST /api-token-auth/$"
    poor: ClassVar[tuple[str, ...]] = ("a regular account", "ROLE_ADMIN")
    redirect_is_denied = True
    flavour: ClassVar[str] = "opengdb"
    standing: ClassVar[str] = "ts-standing"
    """A repository that is always there."""

    def __init__(self, door: StandIn, url: str = "", password: str = PASSWORD) -> None:
        """`url`: of what is behind the door, for other hands."""
        super().__init__()
        self.door = self.front = door
        self.password = self.vault.stand(password)
        self.admin = httpx.Client(
            base_url=url or door.url,
            auth=("admin", password),
            headers={"Accept": "application/json"},
        )
        self.nobody = httpx.Client(base_url=url or door.url)
        self.make_repository(self.standing, "Standing")
        # Tokens are fetched on the first call; a look that fetches one is none that changes
        # anything.
        self.connected().prove_rights()

    @property
    def state(self) -> dict[str, Any]:
        """The stand-in's."""
        return self.front.state

    def unstore(self, name: str) -> None:
        """Have the store lose what it has."""
        del self.state["stored"][name]

    def unlist(self, name: str) -> None:
        """Have the list lose what the store has."""
        rows = self.state["repositories"]
        rows[:] = [one for one in rows if one["id"] != name]

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "OpenGdbPlace":
        stand_in = TriplestoreStandIn(admin_password=PASSWORD, flavour=cls.flavour)
        stack.enter_context(running(stand_in))
        return cls(stand_in)

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> Triplestore:
        values: dict[str, Any] = {
            "url": self.front.url,
            "admin_username": "admin",
            "admin_password": Secret(self.password),
            **changes,
        }
        return connect(Settings(**values), self.vault.resolve, calls=calls or CALLS)

    def moved(self) -> Triplestore:
        return self.connect(url="http://127.0.0.1:9")

    def wrong_password(self) -> Triplestore:
        return self.connect(admin_password=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> Triplestore:
        user = f"poor{self.poor.index(name)}"
        password = self.vault.stand(f"canary-of-{user}")
        self.make_account(
            user, password, [name if name in names.ELEVATED_ROLES else names.ROLE_USER]
        )
        return self.connect(admin_username=user, admin_password=Secret(password))

    def make_account(self, name: str, password: str, rights: list[str]) -> None:
        body = {"password": password, "grantedAuthorities": rights}
        self.admin.post(f"/rest/security/users/{name}", json=body).raise_for_status()

    def make_repository(self, name: str, title: str) -> None:
        body: dict[str, Any] = {"id": name, "title": title}
        if self.flavour == "graphdb":
            body |= {"type": "graphdb", "params": {}}
        self.admin.post("/rest/repositories", json=body).raise_for_status()

    def accounts(self) -> dict[str, list[str]]:
        """Rights by name."""
        found = self.admin.get("/rest/security/users").raise_for_status().json()
        rows = found.values() if isinstance(found, dict) else found
        return {row["username"]: sorted(row["grantedAuthorities"]) for row in rows}


class RDF4JPlace(OpenGdbPlace):
    """OpenGDB's stand-in with a real RDF4J that keeps its data."""

    part = "RDF4J behind the stand-in"
    real = "RDF4J"

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "RDF4JPlace":
        stand_in = TriplestoreStandIn(admin_password=PASSWORD, rdf4j_url=real.url)
        stack.enter_context(running(stand_in))
        place = cls(stand_in)
        place.store = httpx.Client(base_url=f"{real.url}/repositories")
        return place

    store: httpx.Client

    def unstore(self, name: str) -> None:
        self.store.delete(f"/{name}").raise_for_status()


class RealOpenGdbPlace(RDF4JPlace):
    """A real OpenGDB behind a door, before a real RDF4J."""

    part = "OpenGDB"
    real = "OpenGDB"
    besides = ("RDF4J",)
    standing = "ts-standing-too"
    """The same RDF4J is behind the stand-in, which has the other."""

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "RealOpenGdbPlace":
        door = FaultProxy(real.address.url)
        stack.enter_context(running(door))
        place = cls(door, real.address.url, real.address.admin_password.reveal())
        place.store = httpx.Client(base_url=f"{real.rdf4j_url}/repositories")
        return place

    def unlist(self, name: str) -> None:
        """It never loses a row alone: both go, and the store gets its own back past it."""
        self.admin.delete(f"/rest/repositories/{name}").raise_for_status()
        headers = {"Content-Type": "text/turtle"}
        config = CONFIG.format(name=name)
        self.store.put(f"/{name}", content=config, headers=headers).raise_for_status()


class GraphDbPlace(OpenGdbPlace):
    """GraphDB's stand-in."""

    part = "GraphDB's stand-in"
    poor = ("a regular account",)
    redirect_is_denied = True
    flavour = "graphdb"


class User(Case):
    """`triplestore.user`. `rights taken`: who could write reads alone."""

    kind = "triplestore.user"
    listed = True
    wishes = ("made", "rights taken", "shut", "opened", "gone")
    taking = ("gone", "shut")
    halves = {
        "made": ("without rights", "with another password", "with a right too many"),
        "gone": ("without rights", "with a right too many"),
    }
    foreign = {
        "made": ("ROLE_ADMIN", "ROLE_REPO_MANAGER"),
        **dict.fromkeys(("rights taken", "shut", "opened"), ("ROLE_ADMIN",)),
    }
    place: OpenGdbPlace

    @property
    def rights_given(self) -> list[str]:
        return names.authorities(write=[self.place.standing])

    def user(self, it: Thing) -> str:
        return f"ada-{it.token}"

    def target(self, it: Thing, wish: str) -> Target:
        return {"user": names.account_name(self.user(it))}

    def want(self, it: Thing, wish: str) -> Facts | None:
        if wish == "shut":
            return {"shut": True}
        if wish == "opened":
            return {"shut": False, "given_back": [*self.rights_given[1:], "READ_REPO_ts-gone"]}
        return None if wish == "gone" else {"authorities": [*self.rights(wish)]}

    def rights(self, wish: str) -> list[str]:
        if wish == "rights taken":
            return names.authorities(read=[self.place.standing])
        return self.rights_given if wish in {"made", "opened"} else [names.ROLE_USER]

    def secrets(self, it: Thing, wish: str) -> dict[str, str]:
        if wish in {"gone", "shut", "opened"}:
            return {}
        return self.password(it)

    def password(self, it: Thing) -> dict[str, str]:
        it.ids.setdefault("password", self.place.vault.canary("user"))
        return {"password": self.place.vault.keep(f"vault/{it.token}", it.ids["password"])}

    def prepare(self, it: Thing, wish: str) -> None:
        if wish != "made":
            self.password(it)
            rights = [names.ROLE_USER] if wish == "opened" else self.rights_given
            self.place.make_account(self.user(it), it.ids["password"], rights)

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        rights = {"without rights": [names.ROLE_USER], "with another password": self.rights_given}
        surplus = [*self.rights_given, "READ_REPO_*"]
        self.place.make_account(self.user(it), "another", rights.get(how, surplus))

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        self.place.make_account(self.user(it), "another", [how])

    def seen(self, it: Thing) -> Seen:
        return {name: have for name, have in self.place.accounts().items() if it.token in name}

    def done(self, it: Thing, wish: str) -> bool:
        have = self.seen(it).get(self.user(it))
        if wish == "gone":
            return have is None
        if have != sorted(self.rights(wish)) or not self._signs_in(it):
            return False
        may = [f"{right}_REPO_{self.place.standing}" in have for right in ("READ", "WRITE")]
        return [self._reads(it), self._writes(it)] == may

    def _signs_in(self, it: Thing) -> bool:
        """Only a wrong password is answered 401 here."""
        answer = self.place.nobody.get(
            f"/rest/security/users/{self.user(it)}", auth=(self.user(it), it.ids["password"])
        )
        return answer.status_code != 401

    def _reads(self, it: Thing) -> bool:
        answer = self.place.nobody.get(
            f"/repositories/{self.place.standing}/size", auth=(self.user(it), it.ids["password"])
        )
        return answer.status_code == 200

    def _writes(self, it: Thing) -> bool:
        """Inserting nothing asks for the same right as inserting something."""
        answer = self.place.nobody.post(
            f"/repositories/{self.place.standing}/statements",
            data={"update": "INSERT DATA {}"},
            auth=(self.user(it), it.ids["password"]),
        )
        return answer.is_success

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name = self.user(it)
        found = [f"{name}2", f"x{name}", name.upper().replace(it.token.upper(), it.token)]
        for user in found:
            self.place.make_account(user, "of somebody", self.rights_given)
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        post, put, delete = (
            {"method": method, "path": "/security/users/"} for method in ("POST", "PUT", "DELETE")
        )
        taking = [put] if self.place.flavour == "graphdb" else [delete, post]
        return {
            "made": [post, put],
            "rights taken": taking,
            "shut": [put],
            "opened": [put],
            "gone": [delete],
        }[wish]


class Repository(Case):
    """`triplestore.repository`."""

    kind = "triplestore.repository"
    listed = True
    wishes = ("made", "renamed", "gone")
    taking = ("gone",)
    place: OpenGdbPlace

    def repository(self, it: Thing) -> str:
        return f"ts-{it.token}"

    def target(self, it: Thing, wish: str) -> Target:
        return names.repository(self.repository(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        return None if wish == "gone" else {"title": f"Pottery {wish}"}

    def prepare(self, it: Thing, wish: str) -> None:
        if wish != "made":
            self.place.make_repository(self.repository(it), "Pottery")
            self.place.make_account(f"ada-{it.token}", "of somebody", self._rights(it))

    def _rights(self, it: Thing) -> list[str]:
        return names.authorities(write=[self.repository(it), self.place.standing])

    def seen(self, it: Thing) -> Seen:
        listed = self.place.admin.get("/rest/repositories").raise_for_status().json()
        found: Seen = {one["id"]: one["title"] for one in listed if it.token in one["id"].lower()}
        stored = {f"{one} is stored": True for one in self._stored() if it.token in one.lower()}
        accounts = self.place.accounts().items()
        return {**found, **stored, **{n: rights for n, rights in accounts if it.token in n}}

    def _stored(self) -> list[str]:
        headers = {"Accept": "application/sparql-results+json"}
        answer = self.place.admin.get("/repositories", headers=headers).raise_for_status().json()
        return [row["id"]["value"] for row in answer["results"]["bindings"]]

    def done(self, it: Thing, wish: str) -> bool:
        name, seen = self.repository(it), self.seen(it)
        if wish == "gone":
            rights = [one for one in seen.get(f"ada-{it.token}", []) if one.endswith(f"_{name}")]
            return name not in seen and f"{name} is stored" not in seen and not rights
        return seen.get(name) == f"Pottery {wish}" and f"{name} is stored" in seen

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name = self.repository(it)
        found = [f"{name}2", f"x{name}", name.upper(), f"{name}-"]
        for other in found:
            self.place.make_repository(other, "Of somebody else")
        self.place.make_account(f"eve-{it.token}", "of eve", names.authorities(write=found))
        return [*found, *(f"{other} is stored" for other in found), f"eve-{it.token}"]

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        post = {"method": "POST", "path": "/rest/repositories$"}
        put, delete = (
            {"method": method, "path": "/rest/repositories/"} for method in ("PUT", "DELETE")
        )
        return {"made": [post], "renamed": [put], "gone": [delete]}[wish]


class OpenGdbRepository(Repository):
    """On OpenGDB the list and the store may part."""

    halves = {"made": ("listed, not stored",), "gone": ("listed, not stored", "stored, not listed")}

    foreign = {"made": ("stored, not listed",)}

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        self.leave_half_made(it, wish, how)

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        """A deletion while the store was down leaves its data; a row without data is what a lost
        creation leaves.
        """
        name = self.repository(it)
        self.place.make_repository(name, "Pottery")
        if how == "listed, not stored":
            self.place.unstore(name)
        else:
            self.place.unlist(name)


OPENGDB_CASES = (User, OpenGdbRepository)
GRAPHDB_CASES = (User, Repository)
