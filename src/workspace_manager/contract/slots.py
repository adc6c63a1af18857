"""Limits concurrent calls to each system (a bulkhead), so that a slow system cannot use up the
threads that other systems need. A slot lets its holder call one system.

Whoever finds no place waits a moment, and is turned away then: `Busy`. A process says once how long
its threads may wait (`Patience`), how many at once, and who is told when a place is free again. It
is kept for whoever is told: otherwise somebody faster has it, and they came for nothing.

Places are those of one process. Of several each has as many.
"""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.deadline import moment, remaining_time
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.share import Patience, Share

AT_ONCE: Final = 3
"""Calls of one process to one system, unless its settings say otherwise."""
RETRY_S: Final = 5
KEPT_S: Final = 10.0
"""How long a place is kept for somebody who was told of it and does not come."""


class Busy(Unavailable):
    """Not a sixth reaction: as many calls to the system are under way as may be. Nothing was
    sent.
    """


@dataclass
class _Process:
    systems: dict[str, Share] = field(default_factory=dict)
    patience: Patience = field(default_factory=Patience)
    tell: Callable[[str], None] | None = None
    present: Counter[str] = field(default_factory=Counter)
    """Who is inside `on_behalf_of`; they ask themselves whether a place is kept for them."""

    @property
    def waiting(self) -> int:
        return sum(one.waiting for one in self.systems.values())

    def of(self, name: str) -> Share:
        return self.systems.setdefault(name, Share(AT_ONCE))


_process = _Process()
_free = threading.Condition()
_held: ContextVar[frozenset[str]] = ContextVar("held", default=frozenset())
_everywhere: ContextVar[bool] = ContextVar("everywhere", default=False)
_stay: ContextVar["_Stay | None"] = ContextVar("stay", default=None)
_who: ContextVar[str] = ContextVar("who", default="")
_meanwhile: ContextVar[Callable[[], AbstractContextManager[None]]] = ContextVar(
    "meanwhile", default=contextlib.nullcontext
)


def set_patience(patience: Patience, *, tell: Callable[[str], None] | None = None) -> None:
    """Say how long threads of this process wait, and whom to tell of a free place (`on_behalf_of`
    says for whom).
    """
    with _free:
        _process.patience, _process.tell = patience, tell


def allow(name: str, most: int) -> None:
    """Let so many calls be made at once. Said for each piece of work, so that a changed setting
    counts at once; whoever waits is woken only by a change.
    """
    with _free:
        system = _process.of(name)
        if system.most != most:
            system.most = most
            _free.notify_all()


def most_of(name: str) -> int:
    with _free:
        return _process.of(name).most


@contextlib.contextmanager
def on_behalf_of(who: str) -> Iterator[None]:
    """Remember who is turned away in this block, to be told of a free place after it. One that was
    kept for them and that they did not need is the next one's then.
    """
    token = _who.set(who)
    with _free:
        _process.present[who] += 1
    try:
        yield
    finally:
        _who.reset(token)
        _give_up(who)


def is_kept_for(who: str) -> bool:
    """Return whether a place became free meanwhile for somebody who was turned away."""
    with _free:
        return any(who in one.kept for one in _process.systems.values())


def is_remembered(who: str) -> bool:
    """Return whether somebody was turned away and not told yet."""
    with _free:
        return any(who in one.turned_away for one in _process.systems.values())


@contextlib.contextmanager
def release_during_calls(of_others: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Enter `of_others()` for the time of each call in this block: what a thread holds of the
    process's, and does not need while it waits for a system.
    """
    token = _meanwhile.set(of_others)
    try:
        yield
    finally:
        _meanwhile.reset(token)


@contextlib.contextmanager
def hold_slot(name: str, *, kind: str, doing: Message) -> Iterator[None]:
    """Hold a slot of a system for all calls in this block. Raises Busy."""
    held, stay = _held.get(), _stay.get()
    if name in held or _everywhere.get():
        yield
        return
    if stay and stay.at not in {name, *held}:
        stay.end()
    with contextlib.nullcontext() if held else _meanwhile.get()():
        if not (stay and stay.at == name) and not _take(name):
            raise Busy(
                message("no_place", most=most_of(name)),
                kind=kind,
                doing=doing,
                advice=message("no_place_advice"),
                retry_after=RETRY_S,
            )
        token = _held.set(held | {name})
        try:
            yield
        finally:
            _held.reset(token)
            if stay and not held:
                stay.at = name
            else:
                _leave(name)


@dataclass
class _Stay:
    at: str = ""

    def end(self) -> None:
        if self.at:
            _leave(self.at)
            self.at = ""


@contextlib.contextmanager
def stay() -> Iterator[None]:
    """Keep a place from one call to the next, until one is needed elsewhere or this block ends:
    whoever has much to do at a system goes on, instead of waiting anew for each of it.
    """
    mine = _Stay()
    token = _stay.set(mine)
    try:
        yield
    finally:
        _stay.reset(token)
        mine.end()


@contextlib.contextmanager
def separate_slot(name: str, *, most: int) -> Iterator[bool]:
    """Do something with systems without taking their places, at most so many at once; gives whether
    that could be. It waits for nobody.
    """
    allow(name, most)
    with _free:
        system = _process.of(name)
        free = system.taken < system.most
        system.taken += free
    if not free:
        yield False
        return
    token = _everywhere.set(True)
    try:
        with _meanwhile.get()():
            yield True
    finally:
        _everywhere.reset(token)
        _leave(name)


@contextlib.contextmanager
def on_behalf_of_all(what: str, *, kind: str, doing: Message) -> Iterator[None]:
    """Ask for something that all who call a system need: a token, which product it is. One asks at
    a time, and takes no place there; the others may have them all. Who comes meanwhile waits as for
    a place. Raises Busy.
    """
    allow(what, 1)
    is_free = _held.get() or _everywhere.get()
    with contextlib.nullcontext() if is_free else _meanwhile.get()():
        if not _take(what):
            raise Busy(
                message("being_asked"),
                kind=kind,
                doing=doing,
                advice=message("being_asked_advice"),
                retry_after=RETRY_S,
            )
        token = _everywhere.set(True)
        try:
            yield
        finally:
            _everywhere.reset(token)
            _leave(what)


def _take(name: str) -> bool:
    wait_hooks.begin()
    with _free:
        system, patience, who = _process.of(name), _process.patience, _who.get()
        if not system.has_place(who) and _process.waiting < patience.threads:
            system.waiting += 1
            try:
                _wait(system, who, patience)
            finally:
                system.waiting -= 1
        if system.has_place(who):
            system.kept.pop(who, None)
            system.taken += 1
            system.moved_at = moment()
            return True
        if who:
            system.turned_away[who] = None
        return False


def _wait(system: Share, who: str, patience: Patience) -> None:
    begin = moment()
    end = begin + max(0, remaining_time(patience.seconds) or 0)
    while not system.has_place(who):
        still = max(begin, system.moved_at) + patience.still_s
        rest = min(end, still) - moment()
        if rest <= 0:
            return
        _free.wait(rest)


def _leave(name: str) -> None:
    with _free:
        system = _process.of(name)
        system.taken -= 1
        system.moved_at = moment()
        told = system.keep(KEPT_S)
        _free.notify_all()
    _tell(told)


def _give_up(who: str) -> None:
    with _free:
        _process.present -= Counter([who])
        mine = [one for one in _process.systems.values() if one.kept.pop(who, None)]
        told = [one for system in mine for one in system.keep(KEPT_S)]
        if mine:
            _free.notify_all()
    _tell(told)


def _tell(told: list[str]) -> None:
    tell = _process.tell
    if tell:
        for who in told:
            if who not in _process.present:
                tell(who)


def forget() -> None:
    """As if the process had just begun: for tests."""
    with _free:
        _process.systems.clear()
        _process.present.clear()
        _process.patience, _process.tell = Patience(), None


keep_earlier_names(
    __name__, at="hold_slot", apart="separate_slot", meanwhile="release_during_calls"
)
