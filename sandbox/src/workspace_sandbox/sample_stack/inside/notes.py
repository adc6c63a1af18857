"""Where notes go: a row with the SQL account, a triple with the triplestore's, a file into the
owner's drive.
"""

import contextlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote

from workspace_sandbox.sample_stack.inside.calls import Failed, basic, send
from workspace_sandbox.sample_stack.inside.rows import Note, Rows
from workspace_sandbox.sample_stack.inside.values import Drive, Triples, Values

SAID: Final = "urn:workspace:note"
FILE: Final = "notes.txt"


class NoteStore(Protocol):
    """A place that keeps notes."""

    name: str

    def reach(self) -> None:
        """Use the account. Raises Failed."""

    def write(self, note: Note) -> None: ...

    def read(self) -> list[str]: ...


class Statements:
    """Statements in the repository: one for each note, of the stack."""

    name = "repository"

    def __init__(self, values: Triples, stack: str) -> None:
        self._values = values
        self._subject = f"urn:workspace:stack:{quote(stack, safe='')}"

    def reach(self) -> None:
        self._ask("ASK { ?s ?p ?o }")

    def write(self, note: Note) -> None:
        text = json.dumps(note.line, ensure_ascii=False)
        update = f"INSERT DATA {{ <{self._subject}> <{SAID}> {text} }}"
        self._send(f"{self._values.url}/statements", "application/sparql-update", update)

    def read(self) -> list[str]:
        query = f"SELECT ?said {{ <{self._subject}> <{SAID}> ?said }} ORDER BY DESC(?said) LIMIT 20"
        found = self._ask(query).get("results", {}).get("bindings", [])
        return [str(one["said"]["value"]) for one in found]

    def _ask(self, query: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            self._send(self._values.url, "application/sparql-query", query) or "{}"
        )
        return found

    def _send(self, url: str, kind: str, text: str) -> str:
        headers = basic(self._values.user, self._values.password)
        headers |= {"Content-Type": kind, "Accept": "application/sparql-results+json"}
        answer = send("POST", url, headers=headers, body=text.encode())
        if answer.status not in {200, 204}:
            raise Failed(f"the triplestore answered {answer.status}")
        return answer.text


class File:
    """A text in a folder of the owner's drive."""

    name = "drive"

    def __init__(self, values: Drive) -> None:
        login = quote(values.login, safe="")
        self._folder = f"{values.url}/remote.php/dav/files/{login}/{quote(values.folder, safe='')}"
        self._root = f"{values.url}/remote.php/dav/files/{login}/"
        self._headers = basic(values.login, values.password)

    def reach(self) -> None:
        headers = {**self._headers, "Depth": "0"}
        answer = send("PROPFIND", self._root, headers=headers)
        if answer.status != 207:
            raise Failed(f"the drive answered {answer.status}")

    def write(self, note: Note) -> None:
        made = send("MKCOL", self._folder, headers=self._headers)
        if made.status not in {201, 405}:
            raise Failed(f"the drive answered {made.status}")
        lines = "\n".join([*reversed(self.read()), note.line, ""])
        answer = send("PUT", f"{self._folder}/{FILE}", headers=self._headers, body=lines.encode())
        if answer.status not in {201, 204}:
            raise Failed(f"the drive answered {answer.status}")

    def read(self) -> list[str]:
        answer = send("GET", f"{self._folder}/{FILE}", headers=self._headers)
        if answer.status == 404:
            return []
        if answer.status != 200:
            raise Failed(f"the drive answered {answer.status}")
        return [line for line in reversed(answer.text.splitlines()) if line]


def make_note_stores(values: Values) -> list[NoteStore]:
    """Return the places that it was given an account of."""
    found: list[NoteStore] = []
    if values.sql:
        found.append(Rows(values.sql))
    if values.triples:
        found.append(Statements(values.triples, values.name))
    if values.drive:
        found.append(File(values.drive))
    return found


def kept_since(values: Values) -> str:
    """Return when its volume was first written to, which shows whether the volume outlived the
    stack.
    """
    if not values.data_dir:
        return ""
    file = Path(values.data_dir) / "since"
    try:
        with contextlib.suppress(FileExistsError), file.open("x") as new:
            new.write(datetime.now(UTC).isoformat(" ", "seconds"))
        return file.read_text()
    except OSError:
        return "nobody knows when: it cannot be written to"
