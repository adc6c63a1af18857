"""The case of what everybody may read in the triplestore; on OpenGDB alone."""

from collections.abc import Collection

from tests.conformance.triplestore import OPENGDB_CASES, OpenGdbPlace
from workspace_manager.contract.connector import Facts, Target
from workspace_manager.systems.triplestore import names
from workspace_sandbox.conformance.case import Case, Seen, Selector, Thing


class Public(Case):
    """`triplestore.public`: of OpenGDB alone, which has the switch for each repository."""

    kind = "triplestore.public"
    wishes = ("opened", "closed")
    taking = ("closed",)
    speaks_for_itself = True
    """OpenGDB asks nobody who lists or switches, and what counts is seen without signing in."""
    place: OpenGdbPlace

    def repository(self, it: Thing) -> str:
        return f"ts-{it.token}"

    def target(self, it: Thing, wish: str) -> Target:
        return names.repository(self.repository(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        return {"read": wish == "opened"}

    def prepare(self, it: Thing, wish: str) -> None:
        self._make(self.repository(it), read=wish == "closed")

    def _make(self, name: str, *, read: bool) -> None:
        self.place.make_repository(name, "Pottery")
        flags = {"publicRead": read}
        self.place.admin.put(f"/rest/repositories/{name}", json=flags).raise_for_status()

    def seen(self, it: Thing) -> Seen:
        listed = self.place.admin.get("/rest/repositories").raise_for_status().json()
        mine = [one for one in listed if it.token in one["id"].lower()]
        return {one["id"]: [one["title"], one["publicRead"], one["publicWrite"]] for one in mine}

    def done(self, it: Thing, wish: str) -> bool:
        name, opened = self.repository(it), wish == "opened"
        if name not in self.seen(it):
            return not opened
        answer = self.place.nobody.get(f"/repositories/{name}/size")
        switched = self.seen(it)[name] == ["Pottery", opened, False]
        return switched and (answer.status_code == 200) is opened

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name = self.repository(it)
        found = [f"{name}2", f"x{name}"]
        for other in found:
            self._make(other, read=wish == "closed")
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return [{"method": "PUT", "path": "/rest/repositories/"}]


CASES = (*OPENGDB_CASES, Public)
