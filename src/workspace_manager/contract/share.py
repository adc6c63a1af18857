"""The places at one system: how many calls are under way, and for whom the next one is kept
(`places` decides who waits).
"""

import math
from dataclasses import dataclass, field

from workspace_manager.contract.deadline import moment


@dataclass
class Share:
    """Of `most` places those that are taken, and who is to have the next."""

    most: int
    taken: int = 0
    moved_at: float = 0
    """When somebody last came or went."""
    waiting: int = 0
    """Threads that wait for a place; they come before those who were turned away."""
    turned_away: dict[str, None] = field(default_factory=dict)
    """Who is to be told when a place is free, the longest ago first."""
    kept: dict[str, float] = field(default_factory=dict)
    """For whom a place is kept, and until which moment."""

    def has_place(self, who: str) -> bool:
        """Return whether somebody may come in; what is kept for them is theirs."""
        now = moment()
        self.kept = {one: until for one, until in self.kept.items() if until > now}
        return self.taken + len(self.kept.keys() - {who}) < self.most

    def keep(self, seconds: float) -> list[str]:
        """Keep each place that nobody waits for; gives for whom."""
        told = []
        while self.turned_away and self.has_place("") and self._left_over():
            who = next(iter(self.turned_away))
            del self.turned_away[who]
            self.kept[who] = moment() + seconds
            told.append(who)
        return told

    def _left_over(self) -> bool:
        return self.taken + len(self.kept) + self.waiting < self.most


@dataclass(frozen=True)
class Patience:
    """The patience of a process: how long one thread waits for a place, and how many of a process
    may wait at once. `still_s`: how long where nobody comes or goes meanwhile: that system is slow.
    """

    seconds: float = 30
    threads: int = 1000
    still_s: float = math.inf
