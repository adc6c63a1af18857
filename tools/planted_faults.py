"""Plant faults, one at a time, and see which test finds each: do the tests still find what they
found before some of them went?

    python -m tools.planted_faults before RESULT --seed 23 --count 40
    python -m tools.planted_faults after RESULT
    python -m tools.planted_faults since RESULT
    python -m tools.planted_faults table RESULT > docs/reference/planted-faults.md

`before` draws faults by a seed and runs the tests of the fault's room on stand-ins, the cheapest
first, and, where none of these finds it, on the room's real part. What nobody finds is told of, and
another one is drawn in its place. A test counts when it fails with the fault and passes alone
without it. `after` plants what was found in the revision that is checked out by then, `since` what
nobody found, and asks the one test that `fault_gaps` names. All work in a worktree of their own;
the first two go on where they were stopped: RESULT is written after each fault.
"""

import argparse
import dataclasses
import itertools
import json
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools import fault_gaps
from tools.fault_finder import STAND_INS, Finder, Verdict, copy_of, on_real_parts, on_stand_ins
from tools.fault_rooms import PACKAGE, ROOMS, Room
from tools.fault_sites import Fault, drawn, faults
from tools.fault_table import place_of, table

ROOT = Path(__file__).resolve().parents[1]
OF_WORDS = re.compile(r"(^|[_/])(messages|labels)[_.]|/migrations/")


def faults_of(room: Room, seed: str) -> Iterator[Fault]:
    """All that can be planted in it, in the order of the seed."""
    places = [
        path
        for path in sorted((ROOT / PACKAGE).rglob("*.py"))
        if (inside := path.relative_to(ROOT / PACKAGE).as_posix()).startswith(room.files)
        and not inside.startswith(room.without or ("-",))
        and not OF_WORDS.search(f"/{inside}")
    ]
    among = (
        fault
        for path in places
        for fault in faults(path.relative_to(ROOT).as_posix(), path.read_text())
    )
    return drawn(among, f"{seed} {room.name}")


def rows(count: int) -> list[Room]:
    """The room of each row of the table: rooms by turns, as often as their share is."""
    turns = range(max(room.draws for room in ROOMS))
    once = [room for turn in turns for room in ROOMS if room.draws > turn]
    return list(itertools.islice(itertools.cycle(once), count))


def plant_before(result: Path, seed: str, count: int) -> None:
    """Draw, plant and look until COUNT were found, or nothing is left to draw."""
    fresh: dict[str, Any] = {"seed": seed, "count": count, "red": [], "faults": []}
    kept = read(result) if result.exists() else fresh
    if (kept["seed"], kept["count"]) != (seed, count):
        sys.exit(f"{result} is of seed {kept['seed']} and count {kept['count']}; name another file")
    coming = {room.name: [*faults_of(room, seed)] for room in ROOMS}
    with copy_of(ROOT) as copy:
        kept.setdefault("revision", copy.revision())
        finder = Finder(copy, kept["red"])
        while wanted := still_wanted(kept, coming):
            for room in wanted:
                number = sum(one["room"] == room.name for one in kept["faults"])
                fault = coming[room.name][number]
                seen = finder.look(fault, on_stand_ins(room))
                known = {"room": room.name, **dataclasses.asdict(fault)}
                kept["faults"].append({**known, "before": dataclasses.asdict(seen)})
                write(result, kept)
            ask_real_parts(finder, result, kept)


def still_wanted(kept: dict[str, Any], coming: dict[str, list[Fault]]) -> list[Room]:
    """The rooms of the rows for which nothing was found yet, as far as more can be drawn."""
    drawn_before = Counter(one["room"] for one in kept["faults"])
    filled = Counter(one["room"] for one in kept["faults"] if one["before"]["found_by"])
    wanted = []
    for room in rows(kept["count"]):
        if filled[room.name]:
            filled[room.name] -= 1
        elif drawn_before[room.name] < len(coming[room.name]):
            drawn_before[room.name] += 1
            wanted.append(room)
    return wanted


def ask_real_parts(finder: Finder, result: Path, kept: dict[str, Any]) -> None:
    """Look on real parts for what was not found on stand-ins: all of them at the end, since they
    take the longest.
    """
    for one in kept["faults"]:
        if not (one["before"]["found_by"] or one["before"]["asked_all"]):
            seen = finder.look(fault_of(one), on_real_parts(room_of(one)))
            seen.ran += one["before"]["ran"]
            one["before"] = dataclasses.asdict(dataclasses.replace(seen, asked_all=True))
            write(result, kept)


def room_of(one: dict[str, Any]) -> Room:
    return next(room for room in ROOMS if room.name == one["room"])


def fault_of(one: dict[str, Any]) -> Fault:
    return Fault(**{field.name: one[field.name] for field in dataclasses.fields(Fault)})


def plant_after(result: Path) -> None:
    """Plant what was found in what is checked out now, and write down who finds it."""
    kept = read(result)
    with copy_of(ROOT) as copy:
        kept["revision_after"] = copy.revision()
        finder = Finder(copy, kept["red"])
        for one in kept["faults"]:
            if one["before"]["found_by"] and "after" not in one:
                try:
                    seen = finder.look_again(fault_of(one), room_of(one), Verdict(**one["before"]))
                    one["after"] = dataclasses.asdict(seen)
                except LookupError as gone:
                    one["after"] = {"gone": str(gone)}
                write(result, kept)


def plant_since(result: Path) -> None:
    """Plant what nobody found in what is checked out now, and see whether the test that is named
    for it finds it.
    """
    kept = read(result)
    if kept["revision"] != fault_gaps.REVISION:
        sys.exit(f"{result} is of {kept['revision']}, the named tests of {fault_gaps.REVISION}")
    with copy_of(ROOT) as copy:
        finder = Finder(copy, kept["red"])
        for one in kept["faults"]:
            if not one["before"]["found_by"]:
                one["since"] = look_since(finder, one)
                write(result, kept)


def look_since(finder: Finder, one: dict[str, Any]) -> dict[str, Any]:
    """Return the test that finds it now, or why nothing can be seen of it."""
    if why := fault_gaps.NOT_SEEN.get(place_of(one)):
        return {"not_seen": why}
    named = fault_gaps.FOUND_BY.get(place_of(one))
    try:
        stages = [(STAND_INS, (named,))] if named else []
        return dataclasses.asdict(finder.look(fault_of(one), stages))
    except LookupError as gone:
        return {"gone": str(gone)}


def read(result: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(result.read_text())
    return kept


def write(result: Path, kept: dict[str, Any]) -> None:
    result.write_text(json.dumps(kept, indent=1) + "\n")
    result.with_suffix(".md").write_text("\n".join(table(kept)) + "\n")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("do", choices=["before", "after", "since", "table"])
    parser.add_argument("result", type=Path, help="a JSON file: what was planted, and who found it")
    parser.add_argument("--seed", default="23")
    parser.add_argument("--count", type=int, default=40)
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # the worktree goes too
    match given.do:
        case "before":
            plant_before(given.result, given.seed, given.count)
        case "after":
            plant_after(given.result)
        case "since":
            plant_since(given.result)
        case _:
            print("\n".join(table(read(given.result))))


if __name__ == "__main__":
    main()
