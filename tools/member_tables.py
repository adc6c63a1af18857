"""Write docs/reference/members.md from the tables of members that the systems declare
(`make member-tables`).

Only what is in this tree is shown: a system that another distribution brings has a page of its own.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    RequiredMember,
    Row,
)
from workspace_manager.systems import registry

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "members.md"

HEAD = """\
# Members of what a check reads

What `check` says of each member of the documents that it reads, and of which it is silent because
they do not matter. `make member-tables` writes this page from the tables of the systems; it is
never written by hand. A member that no row covers fails a test on the real system, by name
([why](../decisions/0054-a-row-for-every-member.md)).

A path is a JSON pointer, with `*` for each entry of a list or for any name; a row holds for what is
under its member too. A row that names values is a finding of its own for every other value; the
other findings look at several members.

| system | document | rows | has to have a value | judged | does not matter |
|---|---|---|---|---|---|
"""


def main(page: Path = PAGE) -> int:
    """Write the page."""
    page.write_text(render_page(declared()))
    print(f"{page.name} written")
    return 0


def declared() -> list[tuple[str, MemberTable]]:
    """Each table of the systems of this tree, with the system's label, in the order people see."""
    found = registry()
    return [
        (spec.label.english, table)
        for name, spec in found.specs.items()
        if name not in found.outside
        for table in spec.member_tables()
    ]


def render_page(tables: Sequence[tuple[str, MemberTable]]) -> str:
    """The page's text."""
    counts = "".join(_counted(label, table) for label, table in tables)
    rows = [Counter(type(row) for row in table.rows) for _, table in tables]
    total = sum(rows, Counter[type[Row]]())
    parts = "".join(_part(label, table) for label, table in tables)
    return f"{HEAD}{counts}{_line('**all**', '', total)}{parts}"


def _counted(label: str, table: MemberTable) -> str:
    return _line(label, _code(table.document), Counter(type(row) for row in table.rows))


def _line(label: str, document: str, rows: Counter[type[Row]]) -> str:
    numbers = (rows.total(), rows[RequiredMember], rows[CombinedMember], rows[IgnoredMember])
    return f"| {label} | {document} | {' | '.join(map(str, numbers))} |\n"


def _part(label: str, table: MemberTable) -> str:
    lines = "".join(f"| {' | '.join(cells)} |\n" for cells in _cells(table))
    return (
        f"\n## {label}: {table.document}\n\n"
        f"| member | has to be | why, or what a person sees otherwise | findings |\n"
        f"|---|---|---|---|\n{lines}"
    )


def _cells(table: MemberTable) -> Iterator[tuple[str, str, str, str]]:
    for row in table.rows:
        path = _code(row.path)
        match row:
            case RequiredMember():
                values = ", ".join(map(_value, row.values))
                finding = f"{_code(row.name.code)} ({row.severity})"
                yield path, values, _cell(row.because), finding
            case CombinedMember():
                yield path, "judged", _cell(row.because), ", ".join(map(_code, row.findings))
            case IgnoredMember():
                yield path, "does not matter", _cell(row.because), ""


def _value(value: object) -> str:
    return "not there" if value is None else _code(json.dumps(value, ensure_ascii=False))


def _code(text: str) -> str:
    return f"`{_cell(text)}`"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


if __name__ == "__main__":
    raise SystemExit(main())
