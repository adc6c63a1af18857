"""Replacement of one repository's content by another one's, at once.

It is one transaction of RDF4J, sent by POST, so that readers see the old content or the new. A PUT
would do the same, but OpenGDB sends a PUT up to four times, and the last one may arrive after
somebody has written again. So a transaction that is larger than OpenGDB accepts is refused. See
docs/systems/triplestore.md#snapshots.
"""

import base64
import re
import tempfile
from collections.abc import Callable
from typing import IO, Final
from xml.sax.saxutils import escape, quoteattr

from workspace_manager.contract import progress, wait_hooks
from workspace_manager.contract.errors import Conflict, Invalid, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import SnapshotFacts
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.client.content import KIND, ContentCalls, Namespace
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.snapshots.content_reader import (
    MARK,
    ContentReader,
    ignore,
)
from workspace_manager.systems.triplestore.snapshots.nquads import Quad, plain_text, read_quads

LARGEST: Final = 100_000_000
"""The most bytes of a transaction; OpenGDB accepts 104857600."""
SWITCHED: Final = Namespace(MARK, "urn:workspace-manager:switched")
"""The mark of the repository whose content has replaced another one's."""
LOOKS, PAUSE_S = 60, 10.0
"""Looks at whether a transaction without an answer has arrived, and the pause between them."""
_PARTS: Final = re.compile(rb'"(.*)"(?:@([a-zA-Z0-9-]+)|\^\^<(.*)>)?\Z', re.DOTALL)
_ENCODED: Final = b"<urn:rdf4j:triple:"
"""A statement about a statement in RDF4J's form, which it reads only from N-Quads."""


class Replacement:
    """The replacement of the content of `name` by that of `beside`."""

    def __init__(self, client: TriplestoreClient, name: str, beside: str) -> None:
        self._calls = ContentCalls(client)
        self._name, self._beside = name, beside
        self._old = ContentReader(client, name)
        self._new = ContentReader(client, beside)
        self._pause: Callable[[float], None] = wait_hooks.pause

    def run(self, doing: Message) -> None:
        """Replace the content, or continue an interrupted replacement. `beside` stays."""
        if SWITCHED in self._calls.namespaces(self._beside):
            return
        with tempfile.TemporaryFile() as file:
            wanted = self._write(file, doing)
            if self._old.read(ignore, doing).tables != wanted.tables:
                self._send(file, wanted, doing)
        self._calls.set_namespace(self._beside, SWITCHED)

    def refuse_impossible(self, doing: Message) -> None:
        """Raise Conflict or Invalid for content in `beside` that `run` would refuse."""
        with tempfile.TemporaryFile() as file:
            self._write(file, doing)

    def _send(self, file: IO[bytes], wanted: SnapshotFacts, doing: Message) -> None:
        """Send the transaction once: a second one could arrive after somebody has written again."""
        try:
            self._calls.change_at_once(self._name, file)
        except Unavailable:
            looks = LOOKS
        else:
            looks = 1
        for look in range(looks):
            progress.report(0)
            if self._old.read(ignore, doing).tables == wanted.tables:
                return
            if look + 1 < looks:
                self._pause(PAUSE_S)
        raise Conflict(
            message("switch_unsure", repository_id=self._name),
            kind=KIND,
            doing=doing,
            advice=message("switch_unsure_advice"),
        )

    def _write(self, file: IO[bytes], doing: Message) -> SnapshotFacts:
        """Write the transaction from completely counted content. Raises Conflict without content,
        and Invalid for content that cannot be replaced at once.
        """
        with tempfile.TemporaryFile() as content:

            def begin() -> Callable[[bytes], object]:
                content.seek(0)
                content.truncate()
                return content.write

            facts = self._new.read(begin, doing)
            if not any(one.rows for one in facts.tables):
                raise Conflict(
                    message("switch_to_nothing"),
                    kind=KIND,
                    doing=doing,
                    advice=message("switch_to_nothing_advice"),
                )
            content.seek(0)
            file.write(b"<transaction><clear/><clearNamespaces/>")
            for one in self._new.refuse_prefixes(doing):
                pair = f"prefix={quoteattr(one.prefix)} name={quoteattr(one.name)}"
                file.write(f"<setNamespace {pair}/>".encode())
            for quads in read_quads(iter(lambda: content.read(1 << 20), b"")):
                file.write("".join(map(_operation, quads)).encode())
                self._refuse_large(file, doing, quads)
            file.write(b"</transaction>")
            file.flush()
        return facts

    def _refuse_large(self, file: IO[bytes], doing: Message, quads: list[Quad]) -> None:
        if any(_ENCODED in (s[:18], o[:18]) for s, _, o, _ in quads):
            said = message("switch_about_statements")
        elif file.tell() > LARGEST:
            said = message("switch_too_large", most=LARGEST // 1_000_000)
        else:
            return
        advice = message("restore_as_new")
        raise Invalid(said, kind=KIND, doing=doing, advice=advice)


def _operation(quad: Quad) -> str:
    s, p, o, g = quad
    contexts = f"<contexts>{_term(g)}</contexts>" if g else "<contexts><null/></contexts>"
    return f"<add>{_term(s)}{_term(p)}{_term(o)}{contexts}</add>"


def _term(term: bytes) -> str:
    if term[:1] == b"<":
        return f"<uri>{escape(plain_text(term[1:-1]))}</uri>"
    if term[:1] == b"_":
        return f"<bnode>{escape(term[2:].decode())}</bnode>"
    found = _PARTS.match(term)
    assert found, "what was read has been understood"
    # XML cannot contain some characters of literals.
    text = base64.b64encode(plain_text(found[1]).encode("utf-8", "surrogatepass")).decode()
    of = f" xml:lang={quoteattr(found[2].decode())}" if found[2] else ""
    if found[3] is not None:
        of = f" datatype={quoteattr(plain_text(found[3]))}"
    return f'<literal encoding="base64"{of}>{text}</literal>'
