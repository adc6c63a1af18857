"""The page of planted faults: what was planted, which test found it before, which finds it after,
and which finds since what nobody had found.
"""

import ast
from itertools import takewhile
from typing import Any

HEAD = """\
# Planted faults

Do the tests still find what they found before some of them went? Faults were planted in the
manager by a seed, one at a time, before anything was cut. The tests of the fault's room looked for
it, first on stand-ins and then on the room's real part, and stopped at the first one that failed:
others may find it too. The same faults were planted afterwards, when only tests that `make test`
runs looked for them. What nobody had found is found since by tests that were written for it or that
another room has (`tools/fault_gaps.py`); each was asked with its fault planted. A test counts when
it fails with the fault and passes alone without it.

```sh
python -m tools.planted_faults before RESULT --seed {seed} --count {count}
python -m tools.planted_faults after RESULT
python -m tools.planted_faults since RESULT
```

A seed draws the same faults from the same source alone: the first command is for the source of
{revision}, with these tools in it.

Seed {seed}; before: {revision}; after: {after}. {found} of {planted} faults were found before,
{real} of them by a real part or PostgreSQL alone; {open} of the others were not looked for on their
real part. Of those that nobody found {closed} are found since, and {not_seen} change nothing that
can be seen.
"""
NOBODY = "Found by nobody before"
NOT_ASKED = "Not found on stand-ins before, and not looked for on the real part"
SHORT = 80
AROUND = 20
"""How much is shown of what stays, before and after what changes."""


def table(kept: dict[str, Any]) -> list[str]:
    """Its lines."""
    found = [one for one in kept["faults"] if one["before"]["found_by"]]
    missed = [one for one in kept["faults"] if one not in found]
    lines = HEAD.format(
        seed=kept["seed"],
        count=kept["count"],
        revision=kept["revision"],
        after=kept.get("revision_after", "to come"),
        found=len(found),
        planted=len(kept["faults"]),
        open=sum(not one["before"]["asked_all"] for one in missed),
        real=sum(one["before"]["on"] != "stand-ins" for one in found),
        closed=sum(bool(one.get("since", {}).get("found_by")) for one in missed),
        not_seen=sum("not_seen" in one.get("since", {}) for one in missed),
    ).splitlines()
    lines += ["", "| # | fault | change | found before by | tests run | found after by |"]
    lines += ["|---|---|---|---|---|---|"]
    for number, one in enumerate(found, 1):
        before = one["before"]
        cells = [str(number), *what(one), finder(before), str(before["ran"]), found_after(one)]
        lines.append(f"| {' | '.join(cells)} |")
    nobody = [one for one in missed if one["before"]["asked_all"]]
    not_asked = [one for one in missed if one not in nobody]
    for title, some in ((NOBODY, nobody), (NOT_ASKED, not_asked)):
        if some:
            lines += ["", f"## {title}", ""]
            lines += ["| fault | change | tests run | found since by |", "|---|---|---|---|"]
            for one in some:
                cells = [*what(one), str(one["before"]["ran"]), found_since(one)]
                lines.append(f"| {' | '.join(cells)} |")
    if kept["red"]:
        lines += ["", "Left out, since they failed without a fault too:", ""]
        lines += [f"- {code(test.removeprefix('tests/'), 400)}" for test in kept["red"]]
    return lines


def place_of(one: dict[str, Any]) -> str:
    """Where it is, in the package."""
    return f"{one['path'].removeprefix('src/workspace_manager/')}:{one['line']}"


def what(one: dict[str, Any]) -> tuple[str, str]:
    """Where it is, and what was done there."""
    place = f"`{place_of(one)}`"
    if one["now"] in {"pass", "return None"}:
        return place, f"{one['kind']}: {code(one['was'])}"
    was, now = shorten_both(normal(one["was"]), normal(one["now"]))
    return place, f"{one['kind']}: {code(was)} → {code(now)}"


def normal(text: str) -> str:
    """An expression as Python writes it, on one line."""
    return ast.unparse(ast.parse(f"({text})", mode="eval"))


def shorten_both(was: str, now: str) -> tuple[str, str]:
    """Two texts without most of what they begin and end with alike."""
    before = max(alike(was, now) - AROUND, 0)
    was, now = was[before:], now[before:]
    after = max(min(alike(was[::-1], now[::-1]), len(was), len(now)) - AROUND, 0)
    left, right = "…" * bool(before), "…" * bool(after)
    return left + was[: len(was) - after] + right, left + now[: len(now) - after] + right


def alike(one: str, other: str) -> int:
    """With how many letters both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def finder(seen: dict[str, Any]) -> str:
    on = "" if seen["on"] == "stand-ins" else f" ({seen['on']})"
    return f"{code(seen['found_by'].removeprefix('tests/'), 400)}{on}"


def found_after(one: dict[str, Any]) -> str:
    """Return who finds it after."""
    if not (seen := one.get("after")):
        return "to come"
    if "gone" in seen:
        return "its place is gone"
    if seen["found_by"] == one["before"]["found_by"]:
        return "the same"
    return finder(seen) if seen["found_by"] else "**nobody**"


def found_since(one: dict[str, Any]) -> str:
    """Return who finds what nobody had found, or why nobody can."""
    if not (seen := one.get("since")):
        return "to come"
    if "gone" in seen:
        return "its place is gone"
    if "not_seen" in seen:
        return str(seen["not_seen"])
    return finder(seen) if seen["found_by"] else "**nobody**"


def code(text: str, most: int = SHORT) -> str:
    """A piece of code that fits into a cell."""
    flat = " ".join(text.split()).replace("|", "\\|")
    return f"`{flat if len(flat) <= most else flat[: most - 1] + '…'}`"
