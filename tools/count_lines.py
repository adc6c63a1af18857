"""Count the lines of every room: `python tools/count_lines.py [ROOT]`; standard library only.

Works on this tree and on the first edition's, where stand-ins and sandbox were in the manager's
package. Python, templates and data are counted apart, so that logic moved into data is seen.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

KINDS = ("py", "templates", "data")
TEMPLATES = {".html", ".txt", ".css", ".js", ".svg"}
NOT_LINES = {".png", ".ico", ".woff2", ".mo", ".gz", ".jpg"}
Counts = dict[str, Counter[str]]


def main(root: Path) -> int:
    """Print a table of rooms and the sums that matter."""
    rooms: Counts = {}
    for name in _tracked(root):
        room, kind, path = _room(name), _kind(name), root / name
        if room and path.is_file() and path.suffix not in NOT_LINES:
            lines = len(path.read_bytes().splitlines())
            rooms.setdefault(room, Counter())[kind] += lines
    _table("room", {name: rooms[name] for name in sorted(rooms)})
    print()
    _table("sum", _sums(rooms))
    return 0


def _tracked(root: Path) -> list[str]:
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return listed.stdout.splitlines()


def _kind(name: str) -> str:
    suffix = Path(name).suffix
    return "py" if suffix == ".py" else "templates" if suffix in TEMPLATES else "data"


def _room(name: str) -> str:
    """The room a file belongs to; nothing for what is neither program nor test."""
    parts = Path(name).parts
    if parts[0] == "tests":
        return "tests"
    if parts[:2] == ("sandbox", "tests"):
        return "tests (sandbox)"
    if parts[0] in {"tools", "benchmarks"}:
        return parts[0]
    if parts[:3] == ("sandbox", "src", "workspace_sandbox"):
        return _below("sandbox", parts[3:], deep="stand_ins")
    if parts[:2] == ("src", "workspace_manager"):
        inner = parts[2:]
        if inner[0] == "systems" and "emulator" in inner:
            return f"stand_ins/{inner[1]}"
        if inner[0] in {"sandbox", "storm"}:
            return "sandbox"
        if inner == ("contract", "stand_in.py"):
            return "stand_ins"
        return _below("manager", inner, deep="systems")
    return ""


def _below(home: str, inner: tuple[str, ...], *, deep: str) -> str:
    """The folder below a home; one level further in the folder `deep`. Single files
    count together.
    """
    if len(inner) == 1:
        return f"{home}/(files)"
    if inner[0] == deep and deep == "stand_ins":
        return f"stand_ins/{inner[1]}" if len(inner) > 2 else "stand_ins"
    if inner[0] == deep and len(inner) > 2:
        return f"{home}/{deep}/{inner[1]}"
    return f"{home}/{inner[0]}"


def _sums(rooms: Counts) -> Counts:
    sums: Counts = {}
    for room, counts in rooms.items():
        home = room.partition("/")[0].partition(" ")[0]
        sums.setdefault(home, Counter()).update(counts)
    return dict(sorted(sums.items()))


def _table(title: str, rows: Counts) -> None:
    width = max([len(title), *map(len, rows)])
    print(f"{title:<{width}}" + "".join(f"{kind:>11}" for kind in KINDS))
    for name, counts in rows.items():
        print(f"{name:<{width}}" + "".join(f"{counts[kind]:>11,}" for kind in KINDS))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
