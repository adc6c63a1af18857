"""Kill a scenario at every point, then every run that follows from that at every point, and so on
until nothing new is left behind.

A kill at a point is what it leaves (`snapshots`): no `finally`, no handler, nothing of the process
goes on. Every run that follows ends as the undisturbed one, with the same writes fakes.
"""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tests.crash.replay import Replay, Run, Scenario
from tests.crash.snapshot import Snapshot


@dataclass
class Figures:
    """What was tried of one scenario."""

    scenario: str
    singles: int = 0
    """Different snapshots that one kill leaves: a run began from each of them."""
    points: int = 0
    """Of the undisturbed run."""
    pairs: int = 0
    """A point of the undisturbed run, and one of the run that follows: tried."""
    all_pairs: int = 0
    snapshots: int = 0
    """Different ones, over all kills in a row."""
    runs: int = 0
    complete: bool = True
    """Whether a run began from every snapshot that was seen: then any number of kills in a row is
    covered.
    """
    after: dict[str, Counter[str]] = field(default_factory=dict)
    """By the snapshot that a run began from: at how many points of that run which snapshots are
    left.
    """

    def count(self, clean: Run) -> None:
        first = Counter(state.key for state in clean.snapshots)
        self.points = clean.points
        for key, times in first.items():
            for following, further in self.after.get(key, Counter()).items():
                self.all_pairs += times * further
                self.pairs += times * further if following in self.after else 0

    def line(self) -> str:
        whole = (
            f"all {self.pairs:,} pairs and any number in a row ({self.snapshots:,} different "
            f"snapshots)"
        )
        part = f"{self.pairs:,} pairs, a sample (all: make matrix)"
        return (
            f"{self.scenario:28} killed at all {self.points:,} points ({self.singles:,} "
            f"different snapshots), "
            f"{whole if self.complete else part}; {self.runs:,} runs"
        )


def explore(
    replay: Replay, scenario: Scenario, *, most: int | None = None, seed: int = 0
) -> Figures:
    """Try every single kill, and kills of the runs that follow: all of them, or of `most` runs
    chosen by `seed`.
    """
    start = replay.begin()
    clean = undisturbed(replay, scenario, start)
    figures = Figures(scenario.name, complete=most is None)
    figures.after[start.key] = Counter(s.key for s in clean.snapshots)
    generation = new_snapshots(clean)
    figures.singles = len(generation)
    order = random.Random(seed)
    while generation:
        watched = generation
        if most is not None:
            watched = order.sample(generation, min(most, len(generation)))
            most -= len(watched)
        following: list[Snapshot] = []
        for state in generation:
            run = undisturbed(replay, scenario, state, watch=state in watched)
            same_end(scenario, clean, run)
            figures.runs += 1
            figures.after[state.key] = Counter(s.key for s in run.snapshots)
            following += new_snapshots(run)
        generation = following
    figures.snapshots = len(replay.seen)
    figures.count(clean)
    return figures


def undisturbed(replay: Replay, scenario: Scenario, start: Snapshot, *, watch: bool = True) -> Run:
    """A run in which nothing goes wrong but the kill before it."""
    run = replay.run(scenario, start, watch=watch)
    assert not replay.complaints, "\n".join(replay.complaints)
    return run


def moments(
    replay: Replay,
    scenario: Scenario,
    start: Snapshot,
    kinds: Collection[str],
    *,
    most: int | None,
    seed: int,
) -> tuple[list[int], int]:
    """When in a run one of these kinds of thing happens: `most` of the moments, drawn by the seed,
    or all; and how many there are.
    """
    found: list[int] = []

    def note(n: int, what: str) -> None:
        if what in kinds:
            found.append(n)

    replay.run(scenario, start, event=note, watch=False)
    drawn = found if most is None else random.Random(seed).sample(found, min(len(found), most))
    return sorted(drawn), len(found)


def new_snapshots(run: Run) -> list[Snapshot]:
    """What a kill in this run would leave that no kill before would have left."""
    return list({state.key: state for state in run.snapshots if state.kept}.values())


def same_end(scenario: Scenario, clean: Run, run: Run) -> None:
    """The same rows, the same things outside, each write once."""
    for what, have, wanted in (
        ("records", run.end, clean.end),
        ("things and writes outside", run.fakes, clean.fakes),
    ):
        more, fewer = Counter(have) - Counter(wanted), Counter(wanted) - Counter(have)
        listed = [f"+ {describe_difference(text, [*fewer])}" for text in more]
        listed += [f"- {describe_difference(text, [*more])}" for text in fewer]
        assert not listed, "\n".join([f"{scenario.name}: the {what} differ", *listed])


def describe_difference(text: str, others: Sequence[str]) -> str:
    """Where a row begins to differ from the one it should be."""
    alike = max((_alike(text, other) for other in others), default=0)
    return text[:400] if alike < 60 else f"{text[:40]} … {text[alike - 20 : alike + 200]}"


def _alike(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
