"""Bring a stand-in into the state before a recorded exchange, send the request, and compare the
answers.

A recording shows one call; what was there before it follows from the call and its answer (somebody
who is deleted with success was there), from `given`, and from nothing else: the name of a file is
not looked at, so that any other recording of the same kind can be played. Where an exchange allows
several states before it (a 500 may be a database that is down, or a name that breaks the server),
they are tried one after the other, likely ones first, until one gives the recorded answer.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import ClassVar, Protocol

from tests.recorded.comparing import differences
from tests.recorded.expected_meaning import Table
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request, request_of, send
from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.routes import NOT_SERVED
from workspace_sandbox.server import StandIn

MOST_TRIES = 60
PROBLEM = "application/problem+json"
REPLAY_S = float(PATIENCE_S)
"""Seconds for all states before one exchange: a stand-in that stalls makes every one of them late.
"""
SHORT_S = 0.3
"""Seconds to wait for an answer that will not come."""
NEVER_S = 3600.0
"""Seconds until an answer that nobody waits for: on no machine it comes while somebody does."""


@dataclass(frozen=True)
class State:
    """A state before: what it is, in words, and how to bring it about; gives the request as it has
    to be sent then.
    """

    what: str
    arrange: Callable[[], Request]


class Stage(Protocol):
    """One system's stand-in, and what it takes to bring it into a state."""

    table: ClassVar[Table]
    free: ClassVar[frozenset[str]]
    """Members of answers whose own members are names that somebody chose."""

    @property
    def server(self) -> StandIn:
        """The stand-in that is asked."""

    def running(self) -> AbstractContextManager[None]: ...

    def reset(self) -> None:
        """Back to the seed."""

    def states(self, exchange: Exchange) -> Iterator[State]:
        """The states that may have been before this exchange, likely ones first."""


class Impossible(Exception):
    """A state that this exchange does not allow: it cannot be brought about."""


class Unlike(AssertionError):
    """In no state before does the stand-in answer as it was recorded."""


def replay(stage: Stage, exchange: Exchange) -> str:
    """Play an exchange and give the state in which the stand-in answered as recorded. Raises
    Unlike.
    """
    nearest: tuple[int, str, list[str]] | None = None
    deadline = time.monotonic() + REPLAY_S
    late = ""
    for state in _states(stage, exchange):
        if time.monotonic() > deadline:
            late = f"given up after {REPLAY_S:g} seconds; "
            break
        stage.reset()
        try:
            request = state.arrange()
        except Impossible:
            continue
        reply = send(request)
        stage.server.faults.waiting.clear()
        found = differences(exchange, reply, stage.table.code_of, free=stage.free)
        if not found:
            return state.what
        rank = len(found) + 10 * (reply.status != exchange.status)
        if nearest is None or rank < nearest[0]:
            nearest = (rank, state.what, found)
    if nearest is None:
        raise Unlike(f"{exchange}: {late}no state before it is known")
    lines = "\n  ".join(nearest[2])
    raise Unlike(
        f"{exchange}: {exchange.method} {exchange.target}\n{late}nearest in the state: "
        f"{nearest[1]}\n  {lines}"
    )


def say_it_is_not_served(stage: Stage, exchange: Exchange) -> None:
    """Send a request that nobody here makes: the stand-in must say so, and not pretend. Raises
    Unlike.
    """
    reply = send(request_of(exchange, stage.server.url))
    told = reply.json() if exchange.method != "HEAD" else {"type": NOT_SERVED}
    if (reply.status, reply.content_type, (told or {}).get("type")) != (501, PROBLEM, NOT_SERVED):
        raise Unlike(f"{exchange}: {exchange.method} {exchange.target} is not served: {reply}")


def _states(stage: Stage, exchange: Exchange) -> Iterator[State]:
    """The states the stage knows; then some that every system may be in: asked for the same just
    before, or too slow.
    """
    if exchange.status is not None:
        first = list(islice(stage.states(exchange), MOST_TRIES))
        yield from first
        for state in first[:3]:
            yield State(f"{state.what}; the same was asked before", partial(_again, state))
        return
    yield from stage.states(exchange)
    for state in islice(stage.states(exchange), 1):
        yield State(f"{state.what}; no answer in time", partial(_too_late, stage, state))


def _again(state: State) -> Request:
    request = state.arrange()
    send(request)
    return request


def _too_late(stage: Stage, state: State) -> Request:
    request = state.arrange()
    stage.server.faults.add({"fault": "delay", "seconds": NEVER_S})
    return request.with_(answer_s=SHORT_S)
