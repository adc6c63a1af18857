"""The base of OpenGDB's parts: the database, and how a body is read."""

import json
from typing import Any, Protocol

from workspace_sandbox.stand_ins.triplestore.accounts import Broken
from workspace_sandbox.stand_ins.triplestore.rdf4j import Storage
from workspace_sandbox.stand_ins.triplestore.wire import Call

User = tuple[str, dict[str, Any]] | None


class Database(Protocol):
    """The database of the layers: the stand-in's state and how to keep it."""

    state: dict[str, Any]

    @property
    def storage(self) -> Storage: ...

    def changed(self) -> None: ...


def decoded(call: Call) -> Any:
    try:
        return json.loads(call.body.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        raise Broken from wrong
