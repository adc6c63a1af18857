"""The values that each member of a document has to have for a check.

A check that picks some members out of an answer is silent about the others by chance. A table with
a row for every member makes silence a decision: a member that nobody decided about is found by a
test that holds the table against a document of the real system.

A member's path is a JSON pointer (RFC 6901), as in `/attributes/access.token.lifespan`, with `*`
for each entry of a list. In a row, `*` stands for any name too, and at the end of one for whatever
follows, as in `/innodb_*`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message


@dataclass(frozen=True, kw_only=True)
class IgnoredMember:
    """A member that does not matter, with everything under it."""

    path: str
    because: str


@dataclass(frozen=True, kw_only=True)
class CombinedMember:
    """A member, with everything under it, that code judges together with others."""

    path: str
    because: str
    """Why it matters, and what a person sees otherwise."""
    findings: tuple[str, ...]
    """The codes of the findings' names."""


@dataclass(frozen=True, kw_only=True)
class RequiredMember:
    """A member that has to have one of some values; a member that is not there is judged as `None`.

    `because`: what a person sees otherwise.
    """

    path: str
    because: str
    values: tuple[JsonValue, ...]
    name: Message
    found: Message
    remedy: Message
    severity: Severity = Severity.FAILING


Row = IgnoredMember | CombinedMember | RequiredMember


def ignore_members(because: str, *names: str, below: str = "") -> tuple[IgnoredMember, ...]:
    """Rows of several members that do not matter, for one reason. `below`: the path above them."""
    return tuple(IgnoredMember(path=f"{below}/{name}", because=because) for name in names)


def combine_members(
    because: str, findings: tuple[str, ...], *names: str, below: str = ""
) -> tuple[CombinedMember, ...]:
    """Rows of several members that the same code judges. `below`: the path above them."""
    return tuple(
        CombinedMember(path=f"{below}/{name}", because=because, findings=findings) for name in names
    )


@dataclass(frozen=True)
class MemberTable:
    """The rows of one document. The first row that covers a member holds."""

    document: str
    """What the document is, and the call that reads it, for the reader of the reference."""
    rows: tuple[Row, ...]

    def findings(self, document: Mapping[str, JsonValue], findings: Findings) -> Iterator[Finding]:
        """Report one finding for each required member that has another value."""
        for row in self.rows:
            if isinstance(row, RequiredMember) and _value(document, row.path) not in row.values:
                yield findings.of(row.severity, row.name, row.found, row.remedy)

    def undecided(self, document: Mapping[str, JsonValue]) -> tuple[str, ...]:
        """The paths of a document that no row covers, each once, in order."""
        paths = dict.fromkeys(paths_of(document))
        return tuple(one for one in paths if not any(_covers(row, one) for row in self.rows))


def paths_of(value: JsonValue | Mapping[str, JsonValue], path: str = "") -> Iterator[str]:
    """The path of each member that holds a value; of an empty map or list its own."""
    if isinstance(value, Mapping) and value:
        for name, below in value.items():
            yield from paths_of(below, f"{path}/{_escaped(name)}")
    elif isinstance(value, list) and value:
        for entry in value:
            yield from paths_of(entry, f"{path}/*")
    else:
        yield path


def _value(document: Mapping[str, JsonValue], path: str) -> JsonValue:
    """One member's value; None where it is not there."""
    value: JsonValue = dict(document)
    for name in path.split("/")[1:]:
        if not isinstance(value, dict):
            return None
        value = value.get(name.replace("~1", "/").replace("~0", "~"))
    return value


def _covers(row: Row, path: str) -> bool:
    rule, names = row.path.split("/"), path.split("/")
    if isinstance(row, RequiredMember) and len(rule) != len(names):
        return False
    return len(rule) <= len(names) and all(
        wanted == name or (wanted.endswith("*") and name.startswith(wanted[:-1]))
        for wanted, name in zip(rule, names, strict=False)
    )


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def codes_of(rows: Iterable[Row]) -> Iterator[str]:
    """The codes of the findings that a table's rows lead to."""
    for row in rows:
        if isinstance(row, CombinedMember):
            yield from row.findings
        elif isinstance(row, RequiredMember):
            yield row.name.code


keep_earlier_names(
    __name__,
    Judged="CombinedMember",
    Ignored="IgnoredMember",
    Needed="RequiredMember",
    ignored="ignore_members",
    judged="combine_members",
)
