"""Bad weather for a stand-in: faults drawn by a seed, so that the same storm can be had again.

What hits the n-th call of a stand-in depends on the seed, the stand-in's name and n alone. Used by `contract.stand_in`.
"""

import random
from collections import Counter
from typing import Any, Final

KINDS: Final = (
    "delay", "reset", "5xx", "429", "garbage", "html", "redirect", "truncated", "timeout_after_effect",
)  # fmt: skip
SERVER_ERRORS: Final = (500, 502, 503, 504)


class Weather:
    """`rate`: how many of all calls are hit, from 0 to 1. `longest_s`: the longest delay, and the longest wait before a call breaks off."""

    def __init__(self, *, seed: int, name: str, rate: float, longest_s: float = 0.5) -> None:
        self.seed, self.name, self.rate, self.longest_s = seed, name, rate, longest_s
        self.calls = 0
        self.met: Counter[str] = Counter()

    def draw(self) -> dict[str, Any] | None:
        """The fault of the next call, as a document of `POST faults`; None for most calls."""
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
        """How many calls it saw and which faults it made of them."""
        return {"calls": self.calls, "faults": dict(self.met)}
