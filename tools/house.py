"""Draw the house from its imports: `python tools/house.py [ROOT]`; standard library only.

The layers are those of `.importlinter`, the arrows what is imported: every import counts, also one
inside a function. An arrow that follows from two others is left out of the drawing and counted all
the same. `--write` puts the drawing into docs/explanation/house.md, which has no figures: they
would change with each commit.
"""

import ast
import configparser
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NAME = "workspace_manager"
PAGE = Path("docs/explanation/house.md")
BLOCK = re.compile(r"(?<=```mermaid\n).*?(?=```)", re.DOTALL)


@dataclass(frozen=True)
class House:
    """Rooms, which are the folders and files right below the package, and what each imports."""

    layers: tuple[tuple[str, ...], ...]
    """From the top; the rooms of one layer do not know each other."""
    modules: dict[str, int]
    lines: dict[str, int]
    folders: frozenset[str]
    imports: dict[str, frozenset[str]]

    def arrows_up(self) -> list[tuple[str, str]]:
        """Imports of a layer above or beside."""
        depth = {room: n for n, layer in enumerate(self.layers) for room in layer}
        return [
            (room, other)
            for room, others in sorted(self.imports.items())
            for other in sorted(others)
            if room in depth and other in depth and depth[other] <= depth[room]
        ]

    def circles(self) -> list[str]:
        """Rooms that reach themselves."""
        return [room for room in sorted(self.imports) if room in self.reached(room)]

    def reached(self, room: str) -> set[str]:
        found: set[str] = set()
        left = list(self.imports[room])
        while left:
            if (other := left.pop()) not in found:
                found.add(other)
                left += self.imports[other]
        return found

    def needed_arrows(self) -> Iterator[tuple[str, str]]:
        """Arrows that do not follow from two others."""
        for room, others in sorted(self.imports.items()):
            beyond = set[str]().union(*(self.reached(other) for other in others))
            yield from ((room, other) for other in sorted(others - beyond))


def main(arguments: list[str]) -> int:
    """Print the drawing and the figures, or write the drawing into its page."""
    if arguments == ["--write"]:
        page = PAGE.read_text()
        PAGE.write_text(BLOCK.sub(lambda _: drawing(read(Path())), page))
        return 0
    house = read(Path(arguments[0] if arguments else "."))
    print(drawing(house))
    width = max(map(len, house.modules))
    print(f"{'room':<{width}} modules   lines  imports")
    for room in sorted(house.modules, key=lambda one: (one not in house.folders, one)):
        figures = f"{house.modules[room]:>7}{house.lines[room]:>8,}{len(house.imports[room]):>9}"
        print(f"{room:<{width}} {figures}")
    print(f"\n{summary(house)}")
    return int(bool(house.arrows_up() or house.circles()))


def read(root: Path) -> House:
    """Read the tree at `root`, of this edition or of an earlier one."""
    package = root / "src" / NAME
    paths = {_module(path.relative_to(package.parent)): path for path in package.rglob("*.py")}
    rooms = {name.split(".")[1] for name in paths if "." in name}
    imports: dict[str, set[str]] = {room: set() for room in rooms}
    modules, lines = dict.fromkeys(rooms, 0), dict.fromkeys(rooms, 0)
    for name, path in paths.items():
        if "." not in name:
            continue
        room, text = name.split(".")[1], path.read_text()
        modules[room] += 1
        lines[room] += len(text.splitlines())
        imports[room] |= {other for other in _imported(ast.parse(text)) & rooms if other != room}
    return House(
        layers=_layers(root),
        modules=modules,
        lines=lines,
        folders=frozenset(room for room in rooms if (package / room).is_dir()),
        imports={room: frozenset(others) for room, others in imports.items()},
    )


def drawing(house: House) -> str:
    """The rooms as a flow chart, from the doors down to the contract."""
    return "\n".join(
        ["flowchart TD"]
        + [f"    {room}[{room}/]" for room in sorted(house.folders)]
        + [f"    {room} --> {other}" for room, other in house.needed_arrows()]
        + ["    %% " + _verdict(house), ""]
    )


def summary(house: House) -> str:
    """The sums."""
    files = len(house.modules) - len(house.folders)
    modules, lines = sum(house.modules.values()), sum(house.lines.values())
    return (
        f"{len(house.folders)} rooms and {files} files beside them, {modules:,} modules, "
        f"{lines:,} lines; {_verdict(house)}"
    )


def _verdict(house: House) -> str:
    return f"arrows up {len(house.arrows_up())}, circles {len(house.circles())}"


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _imported(tree: ast.Module) -> set[str]:
    """The rooms that a module imports from."""
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [f"{node.module}.{one.name}" for one in node.names]
        elif isinstance(node, ast.Import):
            names += [one.name for one in node.names]
    return {
        parts[1] for parts in (name.split(".") for name in names) if parts[0] == NAME and parts[1:]
    }


def _layers(root: Path) -> tuple[tuple[str, ...], ...]:
    contracts = configparser.ConfigParser(interpolation=None)
    contracts.read(root / ".importlinter")
    layers = contracts["importlinter:contract:one-way"]["layers"].strip().splitlines()
    return tuple(tuple(re.findall(rf"{NAME}\.(\w+)", layer)) for layer in layers)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
