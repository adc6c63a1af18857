"""The world in memory with an identity provider that gives ids and refuses names, and with calls
whose effect comes late.

Everything the stories do to people runs against it in this process; the same cases over HTTP are in
`test_table.py`.
"""

import itertools
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.fake_world.world import FakeConnector, World
from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    Change,
    Facts,
    Outcome,
    Result,
    Target,
)
from workspace_manager.contract.errors import Conflict, Unavailable
from workspace_manager.contract.message import quote_words

USER = "identity_provider.user"


@dataclass
class WorldWithIdentities(World):
    """`slow`: calls (kind, verb) that time out, with an effect that comes when `effects_come` is
    called.
    """

    slow: set[tuple[str, str]] = field(default_factory=set)
    coming: list[Callable[[], Any]] = field(default_factory=list)
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def connector(self, kind: str) -> FakeConnector:
        return (FakeIdentity if kind == USER else SlowConnector)(self, kind)

    def effects_come(self) -> None:
        """What was sent and timed out happens now."""
        waiting, self.coming = self.coming, []
        for effect in waiting:
            effect()

    def users(self, username: str) -> dict[str, dict[str, Any]]:
        """Users of the identity provider of this name, by id: never more than one."""
        return {
            name.partition(":")[2]: user
            for name, user in self.things.items()
            if name.startswith(f"{USER}:") and user.get("username") == username
        }

    def named(self, text: str) -> list[str]:
        """Everything anywhere whose name holds this text, but notebooks, which are kept
        on purpose.
        """
        return sorted(
            name for name in self.things if text in name and not name.startswith("notebook_hub")
        )


class SlowConnector(FakeConnector):
    """Like the others, but a call may time out and be carried out afterwards."""

    world: WorldWithIdentities

    def apply(self, change: Change) -> Outcome:
        return self._send("apply", change, super().apply)

    def remove(self, change: Change) -> Outcome:
        return self._send("remove", change, super().remove)

    def _send(self, verb: str, change: Change, act: Callable[[Change], Outcome]) -> Outcome:
        if (self.kind, verb) in self.world.slow:
            self.world.coming.append(lambda: act(change))
            raise Unavailable(
                quote_words("no answer in time"), kind=self.kind, doing=quote_words(verb)
            )
        return act(change)


class FakeIdentity(SlowConnector):
    """Users by id; a name belongs to one of them; a mark says whose it is."""

    def plan(self, target: Target, want: Facts | None) -> Change:
        self._fail_if_told_to("plan")
        user = self._find(target, making=want is not None)
        before: Any = None
        if user is not None:
            before = {name: user.get(name) for name in want or {"enabled": 0}}
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        self._fail_if_told_to("apply")
        return self._send("apply", change, self._apply)

    def _apply(self, change: Change) -> Outcome:
        user = self._find(change.target, making=True)
        if user is not None:
            changed = any(user.get(name) != wish for name, wish in (change.after or {}).items())
            user.update(change.after or {})
            facts = {"sub": str(user["sub"])}
            return Outcome(result=Result.CHANGED if changed else Result.ALREADY, facts=facts)
        if "sub" in change.target:
            return ALREADY
        sub = str(uuid.UUID(int=next(self.world.numbers)))
        made = {**(change.after or {}), "sub": sub, "sessions": 0, **dict(change.target)}
        self.world.things[f"{USER}:{sub}"] = made
        self.world.writes.append(f"make {change.target['username']} {sub}")
        return Outcome(result=Result.CHANGED, facts={"sub": sub})

    def remove(self, change: Change) -> Outcome:
        self._fail_if_told_to("remove")
        return self._send("remove", change, self._remove)

    def _remove(self, change: Change) -> Outcome:
        user = self._find(change.target)
        if user is None:
            return ALREADY
        mark = change.target.get("mark")
        if mark and user.get("mark") != mark:
            raise self._not_ours()
        for kind in (USER, "identity_provider.attributes"):
            self.world.things.pop(f"{kind}:{user['sub']}", None)
        self.world.writes.append(f"delete {user['username']} {user['sub']}")
        return CHANGED

    def _find(self, target: Target, *, making: bool = False) -> dict[str, Any] | None:
        if "sub" in target:
            known: dict[str, Any] | None = self.world.things.get(f"{USER}:{target['sub']}")
            if known and making and target.get("email", known.get("email")) != known.get("email"):
                raise self._not_ours()
            return known
        found = next(iter(self.world.users(target["username"]).values()), None)
        if found is None or found.get("mark") == target.get("mark"):
            return found
        if making:
            raise self._not_ours()
        return None

    def _not_ours(self) -> Conflict:
        return Conflict(
            quote_words("a user of this name does not carry our mark"),
            kind=USER,
            doing=quote_words("looking"),
        )
