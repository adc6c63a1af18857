"""The part `definers.sql` of a MariaDB snapshot: objects that run with a definer's rights, each
without its definer, and with a line that names it.

Without a definer, the account that loads an object becomes it, so the client alone can load the
part with an account that may name nobody else (1227). Statements are separated by a word that was
drawn for this file and occurs in none of them, so that none can look like two, or like somebody
else's.
"""

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from workspace_manager.systems.sql_server.client.mariadb.content import DefinedObject

PART = "definers.sql"
MOST = 64 << 20
"""The most bytes: the part is held in memory."""
_FIRST = "-- What runs with somebody's rights; whoever loads it is its definer.\n"
_META = "-- {"


class Unreadable(ValueError):
    """The part is not as it was written."""


@dataclass(frozen=True)
class Recorded:
    """One object of the part."""

    kind: str
    name: str
    definer: str
    statement: str
    settings: tuple[str, ...]


def write(defaults: str, objects: Sequence[DefinedObject]) -> bytes:
    """Return the part. `defaults`: the statement with the database's defaults."""
    statements = [one.statement for one in objects]
    word = _word(statements)
    text = [_FIRST, f"DELIMITER {word}\n", f"{defaults}\n{word}\n"]
    for one in objects:
        text += [f"{setting}\n{word}\n" for setting in one.settings()]
        meta = {"kind": one.kind, "name": one.name, "definer": one.definer}
        text.append(f"-- {json.dumps(meta)}\n{one.statement}\n{word}\n")
    text.append("DELIMITER ;\n")
    return "".join(text).encode()


def read(pieces: Iterable[bytes]) -> Iterator[Recorded]:
    """Yield the objects of the part; the defaults come first, as an object without a kind. Raises
    Unreadable.
    """
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > MOST:
            raise Unreadable
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Unreadable from None
    if not text:
        return
    first, _, rest = text.removeprefix(_FIRST).partition("\n")
    word = first.removeprefix("DELIMITER ")
    chunks = rest.split(f"\n{word}\n")
    if not text.startswith(_FIRST) or word == first or chunks.pop() != "DELIMITER ;\n":
        raise Unreadable
    yield Recorded("", "", "", chunks.pop(0), ())
    settings: list[str] = []
    for chunk in chunks:
        if not chunk.startswith(_META):
            settings.append(chunk)
            continue
        line, _, statement = chunk.partition("\n")
        yield Recorded(**_meta(line), statement=statement, settings=tuple(settings))
        settings = []


def _meta(line: str) -> dict[str, str]:
    try:
        found = json.loads(line.removeprefix("-- "))
    except ValueError:
        raise Unreadable from None
    if not isinstance(found, dict) or {*found} != {"kind", "name", "definer"}:
        raise Unreadable
    return {name: str(value) for name, value in found.items()}


def _word(statements: Sequence[str]) -> str:
    while True:
        # The client keeps 15 characters, and reads the rest as a statement (seen on 10.11.19).
        word = f"//{secrets.token_hex(6)}"
        if not any(word in one for one in statements):
            return word
