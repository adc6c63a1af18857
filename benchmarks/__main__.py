"""`make bench`: print what a removal costs the engine, how long it takes beside the bare calls, and
how many departures a second one, two and four workers end.

"--departures 200": those alone, of so many people.

"--lists": what pages and lists cost in front of much, beside their bare queries; fails where that
is too much.

BENCH_ARGS="--people 20", "--json" (one line), "--against DIR" (the same measurement of another
checkout, and what is left of it).
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import departures, engine_cost, lists, removal
from tests.client_patience import wait_for_minutes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10, help="removed each way")
    parser.add_argument("--json", action="store_true", help="print one line of JSON instead")
    parser.add_argument("--against", type=Path, help="another checkout, measured in the same run")
    parser.add_argument("--engine-only", action="store_true", help="leave out the bare calls")
    parser.add_argument("--lists", action="store_true", help="measure the long lists instead")
    parser.add_argument("--departures", type=int, help="measure so many departures instead")
    chosen = parser.parse_args()
    wait_for_minutes()
    if chosen.departures:
        ended = departures.measure_all(chosen.departures)
        print(
            json.dumps({"departures": [asdict(one) for one in ended]})
            if chosen.json
            else "\n".join(departures.table(ended))
        )
        return
    if chosen.lists:
        measured = lists.measure()
        print(json.dumps({"lists": measured}) if chosen.json else "\n".join(lists.table(measured)))
        raise SystemExit(bool(lists.too_dear(measured)))
    checkouts = [engine_cost.ROOT, *([chosen.against] if chosen.against else [])]
    costs, *others = engine_cost.measure_in_turns(checkouts, chosen.people)
    result: dict[str, Any] = dict(costs)
    lines = engine_cost.table(costs)
    if not chosen.engine_only:
        whole = removal.measure(chosen.people)
        result["removal_ratio"] = round(whole.ratio, 2)
        lines += ["", *whole.lines()]
        ended = departures.measure_all(2 * chosen.people)
        result["departures"] = [asdict(one) for one in ended]
        lines += ["", *departures.table(ended)]
    if missing := {name: why for name, why in engine_cost.databases().items() if why}:
        result["not_measured"] = missing
    for earlier in others:
        ratio = engine_cost.ratios(costs, earlier)
        result |= {"against": earlier, "ratio": ratio}
        lines += ["", f"{chosen.against}:", *engine_cost.table(earlier)]
        lines += ["", f"here beside {chosen.against}:", *engine_cost.ratio_lines(ratio)]
    print(json.dumps(result) if chosen.json else "\n".join(lines))


if __name__ == "__main__":
    main()
