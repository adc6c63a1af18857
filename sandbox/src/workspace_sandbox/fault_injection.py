"""Faults that a stand-in is told to have: each named with the calls it hits, or drawn by a seed.

What is drawn for the n-th call of a stand-in depends on the seed, the stand-in's name and n alone,
so that the same storm can be had again.
"""

import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

FAULTS = (
    "status",
    "delay",
    "reset",
    "garbage",
    "html",
    "redirect",
    "truncated",
    "other_shape",
    "timeout_after_effect",
)
KINDS: Final = (
    "delay", "reset", "5xx", "429", "garbage", "html", "redirect", "truncated",
    "timeout_after_effect",
)  # fmt: skip
SERVER_ERRORS: Final = (500, 502, 503, 504)


class FaultInjection:
    """Draw the faults of one stand-in.

    `rate`: how many of all calls are hit, from 0 to 1. `longest_s`: the longest delay, and the
    longest wait before a call breaks off.
    """

    def __init__(self, *, seed: int, name: str, rate: float, longest_s: float = 0.5) -> None:
        self.seed, self.name, self.rate, self.longest_s = seed, name, rate, longest_s
        self.calls = 0
        self.met: Counter[str] = Counter()

    def draw(self) -> dict[str, Any] | None:
        """Return the fault of the next call, as a document of `POST faults`; None for most
        calls.
        """
        self.calls += 1
        order = random.Random(f"{self.seed}:{self.name}:{self.calls}")
        if order.random() >= self.rate:
            return None
        kind = order.choice(KINDS)
        self.met[kind] += 1
        seconds = round(order.uniform(0, self.longest_s), 3)
        if kind == "5xx":
            return {"fault": "status", "status": order.choice(SERVER_ERRORS)}
        if kind == "429":
            return {"fault": "status", "status": 429, "retry_after": "1"}
        return {"fault": kind, "seconds": seconds}

    def shown(self) -> dict[str, Any]:
        """Return the number of calls and the faults among them."""
        return {"calls": self.calls, "faults": dict(self.met)}


@dataclass
class Fault:
    """One injected fault: which calls it hits, its effect, and how often."""

    fault: str
    method: str = ""
    path: str = ""
    statement: str = ""
    status: int = 503
    seconds: float = 2.0
    times: int = 1
    retry_after: str = ""
    body: str = "null"
    """The JSON of `other_shape`."""


class Faults:
    """The faults that wait for their calls; each is used up after `times` hits."""

    def __init__(self) -> None:
        self.waiting: list[Fault] = []
        self.drawn: FaultInjection | None = None

    def add(self, document: dict[str, Any]) -> None:
        """Add a fault. Raises ValueError for an unknown fault, an unknown member or a broken
        pattern.
        """
        try:
            fault = Fault(**document)
            re.compile(fault.path), re.compile(fault.statement)
            # Text where a number belongs would end every later call in an error of the stand-in's
            # own.
            fault.status, fault.seconds, fault.times = (
                int(fault.status),
                float(fault.seconds),
                int(fault.times),
            )
        except (TypeError, ValueError, re.error) as wrong:
            raise ValueError(f"not a fault: {wrong}") from wrong
        if fault.fault not in FAULTS:
            raise ValueError(f"unknown fault {fault.fault!r}; there are {', '.join(FAULTS)}")
        self.waiting.append(fault)

    def take(self, *, method: str = "", path: str = "", statement: str = "") -> Fault | None:
        """Return the first fault that hits this call, and count it."""
        for fault in self.waiting:
            if fault.statement:
                hit = (
                    bool(statement)
                    and re.search(fault.statement, statement, re.IGNORECASE) is not None
                )
            else:
                hit = (
                    fault.method in {"", method}
                    and re.search(fault.path, path or statement) is not None
                )
            if hit:
                fault.times -= 1
                if fault.times <= 0:
                    self.waiting.remove(fault)
                return fault
        document = self.drawn.draw() if self.drawn else None
        return Fault(**document) if document else None
