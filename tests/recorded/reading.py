"""Read recorded exchanges with real systems: one file, one exchange (or one run of a command).

The form is described in README.md beside this file. A reader has to take all of it: comments
anywhere outside the bodies, bodies as hex, no answer at all, a status line without a reason, header
names in any case, and bodies that were cut.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from tests.recorded.placeholders import Claims, redact

SYSTEMS = ("nextcloud", "keycloak", "triplestore", "container-manager", "ontology-editor")
"""The folders' names: the products that were recorded."""

NOT_EXCHANGES = {"keys.txt"}
"""Files beside the recordings that say who is who."""

_CUT = re.compile(r"(?:\.\.\.)? ?(?:\[cut\]|\(\d+ characters\))\s*$")
_HEX_LINE = re.compile(r"^[0-9a-f]{8} {2}((?:[0-9a-f]{2} +)+)")
_TOOK = re.compile(r"# took ([\d.]+) ms(?:; seq (\d+))?(?:; given: (.*))?")
_STATUS = re.compile(r"< (?:HTTP/(\d\.\d) )?(\d{3})(?: .*)?$")
_CLAIMS = re.compile(r"# claims of (\S+): (\{.*\})$")


class Unreadable(ValueError):
    """The file is not a recorded exchange in the form that README.md describes."""


@dataclass(frozen=True)
class Exchange:
    """One request with its answer. `status` None: no answer came, and `silence` says what the
    client saw instead.
    """

    system: str
    name: str
    method: str
    target: str
    headers: Mapping[str, str]
    body: str
    status: int | None
    answer_headers: tuple[tuple[str, str], ...]
    content: bytes
    silence: str = ""
    cut: bool = False
    seq: int | None = None
    given: str = ""
    notes: tuple[str, ...] = ()
    claims: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """Claims of tokens that were replaced by placeholders."""

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    @property
    def host(self) -> str:
        return self.headers.get("host", "")

    @property
    def content_type(self) -> str:
        return (self.answer_header("content-type") or "").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", errors="replace")

    @property
    def sent_part(self) -> str | None:
        """The beginning of a request body that was too long to be kept whole; None: it is whole."""
        found = _CUT.search(self.body)
        return self.body[: found.start()] if found else None

    def answer_header(self, name: str) -> str | None:
        """The first header of this name; names are kept in lower case."""
        return next((value for key, value in self.answer_headers if key == name), None)

    def answered_at(self, claims: Mapping[str, Any]) -> float:
        """When it was answered; where that is not said, when a token with these claims was new."""
        if date := self.answer_header("date"):
            return parsedate_to_datetime(date).timestamp()
        return float(claims.get("iat", claims.get("exp", 0)))

    def json(self) -> Any:
        """The answer's document; None when it is none, or was cut."""
        return as_json(self.text)

    def sent(self) -> Any:
        """The request's document; None when it is none."""
        return as_json(self.body)

    def __str__(self) -> str:
        return f"{self.system}/{self.name}"


@dataclass(frozen=True)
class Run:
    """One run of a command: what was typed, what it printed, how it ended."""

    system: str
    name: str
    command: str
    stdout: str
    stderr: str
    exit_code: int

    def __str__(self) -> str:
        return f"{self.system}/{self.name}"


def as_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def recordings(folder: Path) -> Iterator[Path]:
    """The files of one system's folder that hold a recording, by name."""
    for path in sorted(folder.iterdir()):
        if path.suffix in {".http", ".txt"} and path.name not in NOT_EXCHANGES:
            yield path


def read(path: Path, system: str) -> Exchange | Run:
    """Read one file. Raises Unreadable, naming the file and what is wrong with it."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        text, claims = redact(file.read())
    lines = text.split("\n")
    first = next((line for line in lines if line and not line.startswith("#")), "")
    try:
        if first.startswith("$ "):
            return _run(lines, system, path.name)
        return _exchange(lines, system, path.name, claims)
    except Unreadable as wrong:
        raise Unreadable(f"{system}/{path.name}: {wrong}") from None


def _exchange(lines: list[str], system: str, name: str, claims: Claims) -> Exchange:
    at, method, target, headers, body = _request(lines)
    status, answer_headers, start = _status(lines, at)
    end, notes = _trailer(lines, start)
    content = lines[start:end]
    while content and not content[0].strip():
        content.pop(0)
    while content and not content[-1].strip():
        content.pop()
    comments = [line for line in [*lines[:at], *notes] if line.startswith(("# ", "! "))]
    took = next((found for line in notes if (found := _TOOK.match(line))), None)
    raw = "\n".join(content)
    as_hex = any("shown as hex" in line for line in comments)
    silence = next(
        (line for line in comments if line.startswith(("# client saw", "! "))),
        "",
    )
    if status is None and not silence:
        raise Unreadable("neither a status line nor what the client saw instead")
    return Exchange(
        system=system,
        name=name,
        method=method,
        target=target,
        headers=headers,
        body=body,
        status=status,
        answer_headers=tuple(answer_headers),
        content=_from_hex(content) if as_hex else raw.encode(),
        silence=silence,
        cut=bool(_CUT.search(raw)) or any(line.startswith("# body cut") for line in comments),
        seq=int(took[2]) if took and took[2] else None,
        given=(took[3] or "").strip() if took else "",
        notes=tuple(comments),
        claims={m[1]: json.loads(m[2]) for line in comments if (m := _CLAIMS.match(line))} | claims,
    )


def _request(lines: list[str]) -> tuple[int, str, str, dict[str, str], str]:
    """Give the line after the request, its method, target, headers (lower case) and body."""
    at = next((n for n, line in enumerate(lines) if line.startswith("> ")), None)
    if at is None:
        raise Unreadable("no line begins with '> '")
    words = lines[at][2:].strip().split(" ")
    if len(words) < 2:
        raise Unreadable(f"no request line: {lines[at]!r}")
    headers: dict[str, str] = {}
    # One recording of a foreign Host has it behind the path.
    if found := re.search(r" Host: (\S+)", lines[at]):
        headers["host"] = found[1]
    at += 1
    while at < len(lines) and lines[at].startswith("> ") and lines[at].strip() != ">":
        key, colon, value = lines[at][2:].partition(":")
        if not colon:
            raise Unreadable(f"no header: {lines[at]!r}")
        headers[key.strip().lower()] = value.strip()
        at += 1
    body: list[str] = []
    # The body is behind a bare `>` or behind an empty line; its own lines begin with `>` either
    # way.
    if at < len(lines) and lines[at].strip() in {">", ""}:
        at += 1
    while at < len(lines) and lines[at].startswith(">"):
        body.append(lines[at].removeprefix("> ") if lines[at] != ">" else "")
        at += 1
    return at, words[0], words[1], headers, "\n".join(body)


def _status(lines: list[str], at: int) -> tuple[int | None, list[tuple[str, str]], int]:
    """Give the status, the headers and the line after them; no status when something else took its
    place.
    """
    while at < len(lines) and not lines[at].startswith(("< ", "! ", "# client saw")):
        at += 1
    if at == len(lines) or not lines[at].startswith("< "):
        return None, [], len(lines)
    found = _STATUS.match(lines[at].rstrip())
    if not found:
        raise Unreadable(f"no status line: {lines[at]!r}")
    headers: list[tuple[str, str]] = []
    at += 1
    while at < len(lines) and (lines[at].startswith("< ") or lines[at].rstrip() == "<"):
        key, _, value = lines[at][2:].partition(":")
        headers.append((key.strip().lower(), value.strip()))
        at += 1
    return int(found[2]), headers, at


def _trailer(lines: list[str], start: int) -> tuple[int, list[str]]:
    """Give where the answer's body ends, and the comments behind it."""
    end = len(lines)
    while end > start and (not lines[end - 1].strip() or lines[end - 1].startswith("# ")):
        end -= 1
    if start == len(lines):
        return start, [line for line in lines if line.startswith(("# ", "! "))]
    return end, [line for line in lines[end:] if line.startswith("# ")]


def _from_hex(lines: list[str]) -> bytes:
    return b"".join(bytes.fromhex(found[1]) for line in lines if (found := _HEX_LINE.match(line)))


def _run(lines: list[str], system: str, name: str) -> Run:
    """Read a run in either form: with `--- stdout`, `--- stderr`, `--- exit N`, or plain text that
    `# exit N` ends.
    """
    start = next(n for n, line in enumerate(lines) if line.startswith("$ "))
    parts: dict[str, list[str]] = {"stdout": [], "stderr": []}
    section, code = "stdout", None
    for line in lines[start + 1 :]:
        if found := re.match(r"(?:---|#) exit (\d+)", line):
            code = int(found[1])
        elif found := re.fullmatch(r"--- (stdout|stderr)\s*", line):
            section = found[1]
        else:
            parts[section].append(line)
    if code is None:
        raise Unreadable("the run has no exit code")
    out, err = ("\n".join(parts[part]).strip("\n") for part in ("stdout", "stderr"))
    return Run(system, name, lines[start][2:].strip(), out, err, code)
