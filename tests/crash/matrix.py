"""Kill a story at every point, then every life that follows from that at every point, and so on until nothing new is left behind.

A kill at a point is what it leaves (`survivors`): no `finally`, no handler, nothing of the process goes on. Every life that follows
ends as the undisturbed one, with the same writes outside.
"""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tests.crash.replay import Life, Story, Theatre
from tests.crash.snapshot import Survivors


@dataclass
class Figures:
    """What was tried of one story."""

    story: str
    singles: int = 0
    """Different survivors of one kill: all were lived from."""
    points: int = 0
    """Of the undisturbed run."""
    pairs: int = 0
    """A point of the undisturbed run, and one of the life that follows: tried."""
    all_pairs: int = 0
    survivors: int = 0
    """Different ones, over all kills in a row."""
    lives: int = 0
    complete: bool = True
    """Whether every life was lived whose survivors were seen: then any number of kills in a row is covered."""
    after: dict[str, Counter[str]] = field(default_factory=dict)
    """By survivors that were lived from: at how many points of that life which survivors are left."""

    def count(self, clean: Life) -> None:
        first = Counter(state.key for state in clean.survivors)
        self.points = clean.points
        for key, times in first.items():
            for following, further in self.after.get(key, Counter()).items():
                self.all_pairs += times * further
                self.pairs += times * further if following in self.after else 0

    def line(self) -> str:
        whole = f"all {self.pairs:,} pairs and any number in a row ({self.survivors:,} different survivors)"
        part = f"{self.pairs:,} pairs, a sample (all: make matrix)"
        return (
            f"{self.story:28} killed at all {self.points:,} points ({self.singles:,} different survivors), "
            f"{whole if self.complete else part}; {self.lives:,} lives"
        )


def explore(stage: Theatre, story: Story, *, most: int | None = None, seed: int = 0) -> Figures:
    """Live through every single kill, and through kills of the lives that follow: all of them, or of `most` lives chosen by `seed`."""
    start = stage.begin()
    clean = lived(stage, story, start)
    figures = Figures(story.name, complete=most is None)
    figures.after[start.key] = Counter(s.key for s in clean.survivors)
    generation = fresh(clean)
    figures.singles = len(generation)
    order = random.Random(seed)
    while generation:
        watched = generation
        if most is not None:
            watched = order.sample(generation, min(most, len(generation)))
            most -= len(watched)
        following: list[Survivors] = []
        for state in generation:
            life = lived(stage, story, state, watch=state in watched)
            same_end(story, clean, life)
            figures.lives += 1
            figures.after[state.key] = Counter(s.key for s in life.survivors)
            following += fresh(life)
        generation = following
    figures.survivors = len(stage.seen)
    figures.count(clean)
    return figures


def lived(stage: Theatre, story: Story, start: Survivors, *, watch: bool = True) -> Life:
    """A life in which nothing goes wrong but the kill before it."""
    life = stage.live(story, start, watch=watch)
    assert not stage.complaints, "\n".join(stage.complaints)
    return life


def moments(
    stage: Theatre,
    story: Story,
    start: Survivors,
    kinds: Collection[str],
    *,
    most: int | None,
    seed: int,
) -> tuple[list[int], int]:
    """When in a life one of these kinds of thing happens: `most` of the moments, drawn by the seed, or all; and how many there are."""
    found: list[int] = []

    def note(n: int, what: str) -> None:
        if what in kinds:
            found.append(n)

    stage.live(story, start, event=note, watch=False)
    drawn = found if most is None else random.Random(seed).sample(found, min(len(found), most))
    return sorted(drawn), len(found)


def fresh(life: Life) -> list[Survivors]:
    """What a kill in this life would leave that no kill before would have left."""
    return list({state.key: state for state in life.survivors if state.kept}.values())


def same_end(story: Story, clean: Life, life: Life) -> None:
    """The same rows, the same things outside, each write once."""
    for what, have, wanted in (
        ("records", life.end, clean.end),
        ("things and writes outside", life.outside, clean.outside),
    ):
        more, fewer = Counter(have) - Counter(wanted), Counter(wanted) - Counter(have)
        listed = [f"+ {apart(text, [*fewer])}" for text in more]
        listed += [f"- {apart(text, [*more])}" for text in fewer]
        assert not listed, "\n".join([f"{story.name}: the {what} differ", *listed])


def apart(text: str, others: Sequence[str]) -> str:
    """Where a row begins to differ from the one it should be."""
    alike = max((_alike(text, other) for other in others), default=0)
    return text[:400] if alike < 60 else f"{text[:40]} … {text[alike - 20 : alike + 200]}"


def _alike(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
