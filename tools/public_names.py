"""List what systems of other distributions may use: `python tools/public_names.py [ROOT]`.

A line is a name in a module, or a member of a class there. The tree is read, not imported, so that
the list of an earlier tree can be made too: `tests/contract/public_names.txt` is one.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PUBLIC = (
    "src/workspace_manager/contract",
    "sandbox/src/workspace_sandbox/conformance",
    "sandbox/src/workspace_sandbox/fault_injection.py",
    "sandbox/src/workspace_sandbox/routes.py",
    "sandbox/src/workspace_sandbox/server.py",
)
"""The contract, the checks that every connector passes, and what a stand-in is made of."""


def main(root: Path) -> int:
    """Print one name a line."""
    for path in sorted(found for place in PUBLIC for found in _files(root / place)):
        module = ".".join(path.with_suffix("").parts).partition(".workspace_")[2]
        for name in _names(ast.parse(path.read_text())):
            print(f"workspace_{module.removesuffix('.__init__')}:{name}")
    return 0


def _files(place: Path) -> Iterator[Path]:
    yield from [place] if place.is_file() else place.glob("*.py")


def _names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        for name in filter(_public, _defined(node)):
            yield name
            members = node.body if isinstance(node, ast.ClassDef) else []
            for member in (one for inner in members for one in _defined(inner)):
                if _public(member):
                    yield f"{name}.{member}"


def _public(name: str) -> bool:
    return not name.startswith(("_", "test_"))


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            yield node.name
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)]):
            yield name


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
