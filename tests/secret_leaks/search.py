"""Look for secrets in places: in plain, and in every form in which one may be written down without
anybody noticing.
"""

import base64
import email
import email.policy
import json
import re
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

TOKEN = re.compile(rb"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}")
"""A signed token of the identity provider, whoever's it is."""


def forms(secret: str) -> set[bytes]:
    """How a secret may look: as it is, quoted, as JSON, in hexadecimal, UTF-16, and in base64
    wherever it begins there.
    """
    raw = secret.encode()
    found = {
        raw, quote(secret, safe="").encode(), json.dumps(secret)[1:-1].encode(), raw.hex().encode(),
        raw.hex().upper().encode(), secret.encode("utf-16-le"), raw[::-1],
    }  # fmt: skip
    for before in range(3):
        # What stands before shifts it; the first and the last character depend on their neighbours.
        coded = base64.b64encode(b"\0" * before + raw)
        middle = coded[4 if before else 0 :].rstrip(b"=")[: -2 or None]
        found |= {middle, middle.replace(b"+", b"-").replace(b"/", b"_")}
    return {form for form in found if len(form) >= 8}


@dataclass
class Search:
    """`secrets`: by name. `kept_in`: places (by the beginning of their names) in which one is meant
    to be.
    """

    secrets: Mapping[str, str]
    kept_in: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    places: int = 0
    size: int = 0
    found: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    """Secrets that were found where they are meant to be."""

    def __post_init__(self) -> None:
        self._names = {
            form: name for name, secret in self.secrets.items() for form in forms(secret)
        }
        longest_first = sorted(self._names, key=len, reverse=True)
        self._any = re.compile(b"|".join(re.escape(form) for form in longest_first))

    def look(self, place: str, content: bytes) -> None:
        """Search one place."""
        self.places += 1
        self.size += len(content)
        names = {self._names[hit.group()] for hit in self._any.finditer(content)}
        for name in sorted(names):
            meant = self.kept_in.get(name)
            if meant is not None and place.startswith(meant):
                self.seen.add(name)
            else:
                self.found.append(f"{name} in {place}")
        if TOKEN.search(content):
            self.found.append(f"a signed token in {place}")

    def line(self) -> str:
        return (
            f"canaries: {len(self.secrets)} secrets in {len(self._names)} forms, and any "
            f"signed token, searched in {self.places} places "
            f"({self.size / 1e6:.1f} MB): {self.places * len(self.secrets)} pairs, "
            f"{len(self.found)} found"
        )


def files(folder: Path, leave_out: set[str]) -> Iterator[tuple[str, bytes]]:
    """Every file below, whole: of a database file its free pages too; letters and sessions also as
    who reads them sees them.
    """
    for file in sorted(folder.rglob("*")):
        name = str(file.relative_to(folder))
        if not file.is_file() or name.split("/", maxsplit=1)[0] in leave_out:
            continue
        content = file.read_bytes()
        yield f"file {name}", content
        if name.startswith("mail/"):
            yield f"letter {name}", _letter(content)
        if file.suffix == ".sqlite3":
            yield from ((f"table {table} of {name}", text) for table, text in _tables(file))


def _letter(content: bytes) -> bytes:
    message = email.message_from_bytes(content, policy=email.policy.default)
    parts = [part.get_payload(decode=True) for part in message.walk() if not part.is_multipart()]
    return b"\n".join(part for part in parts if isinstance(part, bytes))


def _tables(file: Path) -> Iterator[tuple[str, bytes]]:
    """Every table in words; what is packed is unpacked."""
    with closing(sqlite3.connect(file)) as database:
        names = [
            row[0]
            for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for name in names:
            rows = database.execute(f'SELECT * FROM "{name}"').fetchall()
            yield name, b"\n".join(_value(value) for row in rows for value in row)


def _value(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    text = str(value)
    return text.encode() + b"\n" + _unpacked(text)


def _unpacked(text: str) -> bytes:
    """A session as Django packs it: base64, and deflated when it begins with a point."""
    data = text.lstrip(".").partition(":")[0]
    try:
        packed = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
        return zlib.decompress(packed) if text.startswith(".") else packed
    except (ValueError, zlib.error):
        return b""
