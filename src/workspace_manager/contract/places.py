"""So many calls at once to one system, and no more: a slow one takes its own share of a process's
threads and no other's (a bulkhead).

Whoever finds no place waits a moment, and is turned away then: `Busy`. A process says once how long
its threads may wait (`Patience`), how many at once, and who is told when a place is free again.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

from workspace_manager.contract.deadline import left
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message

AT_ONCE: Final = 3
"""Calls of one process to one system, unless its settings say otherwise."""
RETRY_S: Final = 5


class Busy(Unavailable):
    """Not a sixth reaction: as many calls to the system are under way as may be. Nothing was
    sent.
    """


@dataclass(frozen=True)
class Patience:
    """How long one thread waits for a place, and how many of a process may wait at once."""

    seconds: float = 30
    threads: int = 1000


@dataclass
class _System:
    most: int = AT_ONCE
    taken: int = 0
    turned_away: dict[str, None] = field(default_factory=dict)
    """Who is to be told when a place is free, the longest ago first."""


@dataclass
class _Process:
    systems: dict[str, _System] = field(default_factory=dict)
    waiting: int = 0
    patience: Patience = Patience()
    tell: Callable[[str], None] | None = None

    def of(self, name: str) -> _System:
        return self.systems.setdefault(name, _System())


_process = _Process()
_free = threading.Condition()
_held: ContextVar[frozenset[str]] = ContextVar("held", default=frozenset())
_everywhere: ContextVar[bool] = ContextVar("everywhere", default=False)
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
    """Remember who is turned away in this block, to be told of a free place."""
    token = _who.set(who)
    try:
        yield
    finally:
        _who.reset(token)


def is_remembered(who: str) -> bool:
    """Whether somebody was turned away and not told yet."""
    with _free:
        return any(who in one.turned_away for one in _process.systems.values())


@contextlib.contextmanager
def meanwhile(of_others: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Enter `of_others()` for the time of each call in this block: what a thread holds of the
    process's, and does not need while it waits for a system.
    """
    token = _meanwhile.set(of_others)
    try:
        yield
    finally:
        _meanwhile.reset(token)


@contextlib.contextmanager
def at(name: str, *, kind: str, doing: Message) -> Iterator[None]:
    """Have a place at a system. Whoever has one has it for all calls in this block. Raises Busy."""
    held = _held.get()
    if name in held or _everywhere.get():
        yield
        return
    with contextlib.nullcontext() if held else _meanwhile.get()():
        if not _take(name):
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
            _leave(name)


@contextlib.contextmanager
def apart(name: str, *, most: int) -> Iterator[bool]:
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
    with _free:
        system, patience = _process.of(name), _process.patience
        if system.taken >= system.most and _process.waiting < patience.threads:
            _process.waiting += 1
            try:
                wait_s = left(patience.seconds)
                _free.wait_for(lambda: system.taken < system.most, timeout=max(0, wait_s or 0))
            finally:
                _process.waiting -= 1
        if system.taken < system.most:
            system.taken += 1
            return True
        if _who.get():
            system.turned_away[_who.get()] = None
        return False


def _leave(name: str) -> None:
    with _free:
        system = _process.of(name)
        system.taken -= 1
        _free.notify_all()
        told = list(system.turned_away)[: max(0, system.most - system.taken)]
        for who in told:
            del system.turned_away[who]
        tell = _process.tell
    if tell:
        for who in told:
            tell(who)


def forget() -> None:
    """As if the process had just begun: for tests."""
    with _free:
        _process.systems.clear()
        _process.waiting, _process.patience, _process.tell = 0, Patience(), None
