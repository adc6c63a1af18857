"""Notes on what a snapshot of a MariaDB database lacks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server.client.mariadb import content
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.content import DefinedObject, Table, plain
from workspace_manager.systems.sql_server.messages import message

NAMED: Final = 20
"""The most names in a note."""
BROKEN: Final = frozenset({1054, 1146, 1305, 1356})
"""Codes of a view that refers to something missing."""
OF_OTHERS: Final = frozenset({1044, 1142, 1143})
"""Codes of a view that refers to another database, which the reading account may not read."""
ELSEWHERE: Final = frozenset({"FEDERATED", "CONNECT", "SPIDER", "S3", "MRG_MyISAM"})


def notes_on(
    tables: Sequence[Table], columns: Mapping[str, Sequence[tuple[str, str]]]
) -> Iterator[Message]:
    """Yield notes on what is not of one moment, and on what the dump leaves out."""
    others = [one for one in tables if one.engine not in content.TRANSACTIONAL]
    if others:
        engines = ", ".join(sorted({one.engine for one in others}))
        yield message(
            "tables_not_of_one_moment",
            tables=_join_names([one.name for one in others]),
            engines=engines,
        )
    if versioned := [one.name for one in tables if one.type == content.VERSIONED]:
        yield message("history_not_kept", tables=_join_names(versioned))
    if elsewhere := [one.name for one in tables if one.engine in ELSEWHERE]:
        yield message("data_elsewhere", tables=_join_names(elsewhere))
    floats = [
        one.name for one in tables if any(kind == "float" for _, kind in columns.get(one.name, ()))
    ]
    if floats:
        yield message("six_digits", tables=_join_names(floats))


def sort_objects(
    reading: Connection, objects: Sequence[DefinedObject]
) -> tuple[list[DefinedObject], list[Message]]:
    """Return the objects that can be made again, each view after those it uses, and notes on the
    others.

    `reading`: a connection that may only read this database.
    """
    views = {one.name: one for one in objects if one.kind == content.VIEW}
    faults = {name: _fault(reading, one) for name, one in views.items()}
    notes = [
        message(said, views=_join_names(names))
        for said, codes in (("views_broken", BROKEN), ("views_of_others", OF_OTHERS))
        if (names := [name for name, fault in faults.items() if fault in codes])
    ]
    left_out = {name for name, fault in faults.items() if fault in BROKEN | OF_OTHERS}
    good = [one for one in objects if one.kind != content.VIEW or one.name not in left_out]
    return put_in_order(good), notes


def put_in_order(objects: Sequence[DefinedObject]) -> list[DefinedObject]:
    """Return routines, then views, each after those it uses, then triggers and events."""
    views = {one.name: one for one in objects if one.kind == content.VIEW}
    ordered: dict[str, DefinedObject] = {}
    for name in views:
        _put_after(name, views, ordered, set())
    last = {"TRIGGER", "EVENT"}
    routines = [one for one in objects if one.kind not in {content.VIEW, *last}]
    return [*routines, *ordered.values(), *(one for one in objects if one.kind in last)]


def _put_after(
    name: str,
    views: Mapping[str, DefinedObject],
    ordered: dict[str, DefinedObject],
    under_way: set[str],
) -> None:
    if name in ordered or name in under_way:
        return
    under_way.add(name)
    for other in views:
        if other != name and content.quote(other) in views[name].rest:
            _put_after(other, views, ordered, under_way)
    ordered[name] = views[name]


def _fault(reading: Connection, view: DefinedObject) -> int:
    """Return the code with which a view's own query is refused; 0 if it is not. The query is
    explained and not run, because the account may run no routine.
    """
    _, _, query = view.rest.partition(f"VIEW {content.quote(view.name)} AS ")
    try:
        reading.rows("EXPLAIN " + plain(query))
    except Unavailable:
        raise
    except ConnectorError as error:
        code = error.message.params.get("code", 0)
        return code if isinstance(code, int) else 0
    return 0


def _join_names(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f", … (+{more})" if more > 0 else "")
