"""The parts of a snapshot of a repository. The two small ones are comments in N-Quads: a download
contains all parts in sequence, and every tool reads it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from workspace_manager.systems.triplestore.client.content import Namespace

STATEMENTS: Final = "repository.nq"
NAMESPACES: Final = "prefixes.nq"
CONFIGURATION: Final = "configuration.nq"
"""The repository's configuration, for people; a new repository gets the manager's usual one."""
SMALL: Final = 16 * 1024 * 1024
"""The most bytes of a part that is held in memory."""
_PREFIX: Final = re.compile(r"# @prefix ([^\s:]*): <([^\x00-\x20<>\"{}|^`\\]*)> \.\Z")


class Unreadable(ValueError):
    """A part is not as it was written. `part`: its name."""

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


def write_namespaces(namespaces: Sequence[Namespace]) -> bytes:
    """Return the prefixes, each as a comment with a line of Turtle."""
    return "".join(f"# {line}\n" for line in map(_turtle, namespaces)).encode()


def write_turtle(namespaces: Sequence[Namespace]) -> bytes:
    """Return a Turtle file with prefixes and no statements."""
    return "".join(f"{line}\n" for line in map(_turtle, namespaces)).encode()


def read_namespaces(pieces: Iterable[bytes]) -> Iterator[Namespace]:
    """Yield the prefixes of these comments. Raises Unreadable."""
    for line in _whole(pieces, NAMESPACES).splitlines():
        found = _PREFIX.match(line)
        if not found:
            raise Unreadable(NAMESPACES)
        yield Namespace(found[1], found[2])


def is_namespace(line: bytes) -> bool:
    """Return whether a comment is a prefix as `write_namespaces` writes one."""
    try:
        return _PREFIX.match(line.decode()) is not None
    except UnicodeDecodeError:
        return False


def can_be_written(namespace: Namespace) -> bool:
    """Return whether a comment can contain the prefix."""
    return _PREFIX.match(f"# {_turtle(namespace)}") is not None


def write_configuration(media: str, text: str) -> bytes:
    """Return the configuration of the repository, in the server's own form, as one comment."""
    return f"# {json.dumps({'type': media, 'text': text}, ensure_ascii=False)}\n".encode()


def _turtle(namespace: Namespace) -> str:
    return f"@prefix {namespace.prefix}: <{namespace.name}> ."


def _whole(pieces: Iterable[bytes], part: str) -> str:
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > SMALL:
            raise Unreadable(part)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Unreadable(part) from None
