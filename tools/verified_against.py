"""Write docs/reference/verified-against.md from what the last `make real` kept: real parts,
versions, checks.

A run may be in several parts, on several hosts, each with its own result: they are added up. Where
`make everything` was green on this machine, the page names that commit too; else it keeps what it
said of it.
Refuses a run that failed or lacked a part: the page says what was shown, and nothing else. Standard
library only.
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "test-results" / "real-parts.json"
EVERYTHING = ROOT / "test-results" / "everything.json"
PAGE = ROOT / "docs" / "reference" / "verified-against.md"

HEAD = """\
# Verified against

Which real systems the manager was tried with, and how many checks passed on each. `make real` runs
them; `make verified-against` writes this page from what that run kept. It is never written by hand.

| part | version | is to the manager | checks passed |
|---|---|---|---|
"""
GREEN = "`make everything` was last green at commit {commit}, {day}"
NOT_YET = "Whether `make everything` is green was not noted yet"
TAIL = """
{day}, {minutes} minutes on {cores} cores.

{everything}.

A check counts for every part it uses: a whole life on real parts counts for all of them. What has
no real part here, and what has one besides, is tried against recorded exchanges of a real one, fed
to the clients and replayed on the stand-ins (`make recordings`): drive (Nextcloud 29 with
user_oidc), container manager (Portainer), ontology editor (WebProtégé), and triplestore (OpenGDB).
"""


def main(results: Sequence[Path], page: Path = PAGE, everything: Path = EVERYTHING) -> int:
    """Write the page. Gives 1, and says why, when there is no result that could be shown."""
    if missing := [str(result) for result in results if not result.exists()]:
        print(f"There is no result yet ({', '.join(missing)}). Run: make real", file=sys.stderr)
        return 1
    found = [json.loads(result.read_text()) for result in results]
    if not all(one["well"] for one in found):
        print(
            "The last run failed, or lacked a part: it shows nothing. Run: make real",
            file=sys.stderr,
        )
        return 1
    said = last_green(page.read_text() if page.exists() else "", everything)
    page.write_text(render_page({**added_up(found), "everything": said}))
    print(f"{page.name} written")
    return 0


def last_green(page: str, kept: Path | None = None) -> str:
    """Return when `make everything` was last green: as `kept` has it, or as the page says."""
    if kept and kept.exists():
        return GREEN.format(**json.loads(kept.read_text()))
    found = re.search(GREEN.format(commit=r"\w+", day=r"[\d-]+"), page)
    return found[0] if found else NOT_YET


def added_up(found: list[dict[str, Any]]) -> dict[str, Any]:
    """One result of several; a part that ran in two of them has the checks of both."""
    parts: dict[str, dict[str, Any]] = {}
    for one in found:
        for name, part in one["parts"].items():
            known = parts.setdefault(name, {**part, "passed": 0})
            known["passed"] += part["passed"]
    minutes = round(sum(one["minutes"] for one in found), 1)
    return {**found[-1], "minutes": minutes, "parts": parts}


def render_page(found: dict[str, Any]) -> str:
    """The page's text."""
    rows = "".join(
        f"| {name} | {part['version']} | {part['serves']} | {part['passed']} |\n"
        for name, part in found["parts"].items()
    )
    return HEAD + rows + TAIL.format(**found)


if __name__ == "__main__":
    sys.exit(main([Path(given) for given in sys.argv[1:]] or [RESULT]))
