"""A trial: one wish for one thing through one connector, from which every check is built."""

import contextlib
from collections.abc import Callable, Collection, Iterator
from typing import Any

from workspace_manager.contract.connector import Change, Evidence, Facts, Outcome, System, Unknown
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_sandbox.conformance.case import HASTY, Case, Place, Selector, Thing
from workspace_sandbox.conformance.watch import Watch, Watched


class Trial:
    """A case with a wish, a new thing, and a watch on its output."""

    def __init__(self, case: Case, wish: str) -> None:
        self.case = case
        self.place: Place = case.place
        self.wish = wish
        self.watch = Watch()
        self.it = Thing()

    # --- what there is to work with ---------------------------------------------------------------

    def another(self) -> Thing:
        """Continue with another thing."""
        self.it = Thing()
        return self.it

    def prepare(self) -> None:
        self.case.prepare(self.it, self.wish)

    @property
    def want(self) -> Facts | None:
        return self.case.want(self.it, self.wish)

    @property
    def seen(self) -> dict[str, Any]:
        return self.case.seen(self.it)

    @property
    def done(self) -> bool:
        return self.case.done(self.it, self.wish)

    @property
    def writes(self) -> list[Selector]:
        return self.case.writes(self.it, self.wish)

    @property
    def system(self) -> System:
        return self.place.connected()

    @property
    def hasty(self) -> System:
        """Return the same system with calls that give up at once."""
        return self.place.connected(HASTY)

    def connector(self, system: System | None = None) -> Watched:
        return Watched((system or self.system).connectors[self.case.kind], self.watch)

    # --- the verbs --------------------------------------------------------------------------------

    def plan(self, system: System | None = None) -> Change:
        """Look, and add what the engine adds."""
        target = self.case.target(self.it, self.wish)
        change = self.connector(system).plan(target, self.want)
        return change.model_copy(update={"secrets": self.case.secrets(self.it, self.wish)})

    def unplanned(self) -> Change:
        """Return the change of a plan whose look failed."""
        return Change(
            kind=self.case.kind,
            subject="",
            target=dict(self.case.target(self.it, self.wish)),
            after=self.want,
            secrets=self.case.secrets(self.it, self.wish),
        )

    def act(self, change: Change, system: System | None = None) -> Outcome:
        """Apply or remove, according to the wish."""
        connector = self.connector(system)
        return connector.remove(change) if change.after is None else connector.apply(change)

    def verify(
        self, change: Change, outcome: Outcome | None = None, system: System | None = None
    ) -> Evidence | None:
        """Look again, with the facts that the system assigned."""
        facts = outcome.facts if outcome else {}
        return self.connector(system).verify(
            change.model_copy(update={"target": {**change.target, **facts}})
        )

    def run(self, system: System | None = None) -> Evidence:
        """Do as the engine does: look, act unless all is well, look again; absence counts only
        after our rights were proven.

        Raises whatever the connector raises; Unavailable when the new look does not show what was
        wished.
        """
        system = system or self.system
        change = self.plan(system)
        if needs_no_change(change.before, change.after) and not (change.secrets and change.after):
            evidence = self._proven(change, None, system)
            if evidence is not None:
                return evidence
        evidence = self._proven(change, self.act(change, system), system)
        if evidence is None:
            raise Unavailable(
                quote_words("a fresh look does not show it yet"),
                kind=change.kind,
                doing=quote_words("verifying"),
                advice=quote_words("-"),
            )
        return evidence

    def _proven(self, change: Change, outcome: Outcome | None, system: System) -> Evidence | None:
        if change.after is None:
            self.connector(system).prove_rights(system)
        return self.verify(change, outcome, system)

    def listed(self, names: Collection[str]) -> list[str]:
        """Return which of these names the inventory has, of the case's kind."""
        read = self.place.spec().lister()
        assert read, f"{self.place.system} declares no inventory"
        found: list[str] = []
        cursor, more = "", True
        while more:
            page = read(self.system, cursor)
            mine = (one for one in page.listed if one.kind == self.case.kind)
            found += [one.name for one in mine if one.name in names]
            cursor, more = page.next, bool(page.next)
        return found

    def calls(self, system: System) -> Iterator[tuple[str, Callable[[], object]]]:
        """Every verb as a call, from a change whose look could not be made."""
        change = self.unplanned()
        yield "plan", lambda: self.plan(system)
        yield "act", lambda: self.act(change, system)
        yield "verify", lambda: self.verify(change, system=system)
        yield "prove rights", lambda: self.connector(system).prove_rights(system)

    def try_to_run(self, system: System | None = None) -> Evidence | ConnectorError:
        try:
            return self.run(system)
        except ConnectorError as error:
            return error

    @contextlib.contextmanager
    def fault(self, fault: str, where: Selector | None = None, **more: Any) -> Iterator[Any]:
        with self.place.fault(fault, where or self.place.every_call, **more) as hits:
            yield hits


def needs_no_change(before: Facts | Unknown | None, after: Facts | None) -> bool:
    """Return whether a look shows that nothing is to do, as the engine judges it; written anew, so
    that no checks need a database.
    """
    if after is None:
        return before is None
    return isinstance(before, dict) and all(
        before.get(name) == value for name, value in after.items()
    )


keep_earlier_names(__name__, satisfied="needs_no_change")
