"""A repository that everybody may read: opened and closed, and looked at from outside."""

import httpx
import pytest

from workspace_manager.contract.connector import ALREADY, CHANGED, Change
from workspace_manager.contract.errors import Invalid, NotFound, Unavailable
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

from .conftest import ADMIN_PASSWORD, connected

KIND, DATA = (
    "triplestore.public",
    '<http://a> <http://p> "b" .\n<http://a> <http://p> "c" <http://g> .\n',
)


def change(*, read: bool, name: str = "ts-a") -> Change:
    return Change(kind=KIND, subject="", target={"repository": name}, after={"read": read})


def with_data(stand_in: TriplestoreStandIn, name: str = "ts-a") -> None:
    made = Change(
        kind="triplestore.repository",
        subject="",
        target={"repository": name},
        after={"title": "Pottery"},
    )
    connected(stand_in).connectors[made.kind].apply(made)
    stand_in.state["stored"][name]["nquads"] = DATA


def reads(stand_in: TriplestoreStandIn, name: str = "ts-a") -> int:
    return httpx.get(f"{stand_in.url}/repositories/{name}/size").status_code


def test_opening_and_closing_are_seen_from_outside(opengdb: TriplestoreStandIn) -> None:
    with_data(opengdb)
    with_data(opengdb, "ts-b")
    public = connected(opengdb).connectors[KIND]
    opened, closed = change(read=True), change(read=False)
    assert public.plan(opened.target, opened.after).before == {"read": False}
    assert public.verify(closed)
    assert public.verify(opened) is None
    assert public.apply(opened) == CHANGED
    assert public.apply(opened) == ALREADY
    assert (reads(opengdb), reads(opengdb, "ts-b")) == (200, 404)
    evidence = public.verify(opened)
    assert evidence
    assert evidence.text == "Without signing in, the repository 'ts-a' can be read."
    (row, _) = opengdb.what_exists()["repositories"]
    assert (row["title"], row["publicWrite"]) == ("Pottery", False)
    assert public.remove(opened) == CHANGED
    assert public.remove(opened) == ALREADY
    assert reads(opengdb) == 404
    assert public.verify(closed)


def test_what_is_switched_and_cannot_be_read_is_not_done(opengdb: TriplestoreStandIn) -> None:
    """The look from outside counts, not what is listed."""
    with_data(opengdb)
    public = connected(opengdb).connectors[KIND]
    public.apply(change(read=True))
    httpx.post(
        f"{opengdb.control_url}/faults",
        json={"method": "GET", "path": "/size$", "fault": "status", "status": 403, "times": 1},
    )
    assert public.verify(change(read=True)) is None
    httpx.post(
        f"{opengdb.control_url}/faults",
        json={"method": "GET", "path": "/size$", "fault": "status", "status": 503, "times": 1},
    )
    with pytest.raises(Unavailable):
        public.verify(change(read=True))


def test_a_repository_that_is_gone_is_read_by_nobody(opengdb: TriplestoreStandIn) -> None:
    public = connected(opengdb).connectors[KIND]
    closed = change(read=False)
    assert public.plan(closed.target, closed.after).before == {"read": False}
    assert public.apply(closed) == ALREADY
    assert public.verify(closed)
    with pytest.raises(NotFound):
        public.apply(change(read=True))


def test_what_the_world_would_see_is_counted(opengdb: TriplestoreStandIn) -> None:
    system = connected(opengdb)
    with_data(opengdb)
    found = system.extent("ts-a")
    assert (found.statements, found.graphs) == (2, 1)
    assert system.extent("ts-gone").statements is None


def test_a_store_that_opens_all_or_none_says_so() -> None:
    stand_in = TriplestoreStandIn(admin_password=ADMIN_PASSWORD, flavour="graphdb")
    with running(stand_in):
        system = connected(stand_in)
        public, opened = system.connectors[KIND], change(read=True)
        for refused in (
            lambda: public.plan(opened.target, opened.after),
            lambda: public.apply(opened),
            lambda: public.verify(opened),
            lambda: system.extent("ts-a"),
        ):
            with pytest.raises(Invalid, match="all repositories public or none"):
                refused()
        with_data(stand_in)
        closed = change(read=False)
        assert public.apply(closed) == ALREADY
        assert public.verify(closed)
