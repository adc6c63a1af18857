"""A system's declaration of one kind of thing it holds."""

import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from workspace_manager.contract.connector import Change, Target
from workspace_manager.contract.message import Message


@dataclass(frozen=True)
class KindSpec:
    """One kind of thing in a system."""

    kind: str
    label: Message
    holds_account: bool = False
    """A thing of this kind is a person's account: a removal and a suspension deal with it, or it
    says below why not.
    """
    takes: frozenset[str] = frozenset()
    """Attributes that take something from the person when they are true, like being locked."""
    restored: frozenset[str] = frozenset()
    """Facts of a look that shutting the account takes away, written down to be given back."""
    named_by: tuple[str, ...] = ()
    """The parts of the target that name the thing: the first of them that is there. Needed where a
    target has several parts: a database does not keep their order.
    """
    exclusive: str = ""
    """The lock of who writes, where a write replaces everything: a name with parts of the target in
    braces.
    """
    comes_back_by: Literal["", "sub", "name"] = ""
    """What a credential that is already out can bring back after a removal, and how it is known
    then: only by `sub` it is surely the removed person's. Rechecks look at it.
    """
    recognized_by: tuple[str, ...] = ()
    """Parts of a target that only a look adds: another system's own id of the thing, by which it is
    surely the same when it comes back under another id. A plan keeps what its preview saw of them.
    """
    comes_by_itself: bool = False
    """It appears when its person first uses it: that one is recorded and not there is no
    difference.
    """
    not_removed: Message | None = None
    not_shut: Message | None = None
    actions: Mapping[str, tuple[Message, Message]] = field(default_factory=dict)
    """What people read for a change that wishes for an attribute, where the wish is true and where
    it is not, like ("Lock", "Unlock"). Of several attributes the first one here counts. A change of
    others is called "Create", one of `takes` "Disable" or "Enable".
    """
    removal: Message | None = None
    """What people read for its removal; None: "Delete"."""
    counted_as: Message | None = None
    """The noun that counts things of this kind where a removal is summed up: a message with a
    plural, made with `n=1`, like ("account", "accounts"). Kinds with the same noun are counted
    together; None: they are not counted.
    """

    def gives(self, change: Change) -> bool:
        """Return whether a change creates or grants something: it is refused for a person who is
        leaving.

        Stopping, disabling and clearing wish only for nothing, False and zero: they give nothing.
        Nor does what takes.
        """
        return any(wish for name, wish in (change.after or {}).items() if name not in self.takes)

    def name_of(self, target: Target) -> str:
        """The one identifier of a thing that stays the same when its person is renamed."""
        named = (target[part] for part in self.named_by if target.get(part))
        return next(named, "") or next(iter(target.values()), "")

    def lock(self, target: Target) -> str:
        """The name of the lock that a write to this target needs; "" for none."""
        parts = {part for _, part, _, _ in string.Formatter().parse(self.exclusive) if part}
        return self.exclusive.format_map(target) if all(target.get(one) for one in parts) else ""
