"""A real OpenGDB before a real RDF4J: what its stand-in is said to imitate, connectors while its
data layer is down, and starting and stopping it.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from aiohttp import web

from sandbox.tests.stand_ins.triplestore.test_stand_in import (
    alice,
    send,
    test_a_deletion_while_the_store_is_down_leaves_an_orphan,
    test_a_graph_without_statements_is_none,
    test_a_password_change_keeps_the_token_and_a_deletion_ends_it,
    test_a_restore_replaces_and_a_broken_one_changes_nothing,
    test_a_token_is_given_for_a_form_alone,
    test_a_user_is_created_once_and_half_made_by_an_error,
    test_creating_an_id_again_deletes_its_data_and_then_breaks_it,
    test_data_is_shown_to_whoever_may_read_it,
    test_queries_see_the_union_of_all_graphs,
    test_rights_only_add_up_and_a_refused_change_takes_them,
    test_what_it_says_to_odd_calls,
    test_without_the_right_one_is_sent_to_a_login_page,
    test_wrong_credentials_are_refused_everywhere,
)
from tests.real.leftovers import check_leftovers_are_cleared
from tests.real_parts import Part
from tests.real_running import an_rdf4j
from tests.real_running import running as running_part
from tests.systems.triplestore.conftest import ADMIN_PASSWORD, connected
from tests.systems.triplestore.test_checks import test_a_store_that_is_down_is_seen
from tests.systems.triplestore.test_client import (
    test_a_second_delete_says_that_there_is_nothing,
    test_repositories_are_closed_when_they_are_made,
)
from tests.systems.triplestore.test_connector import (
    test_a_renewed_password_leaves_nothing_of_the_old_one,
)
from tests.systems.triplestore.test_connector_repositories import (
    KIND,
    WANT,
    plan_change,
    test_a_creation_waits_while_the_store_is_down,
    test_a_title_is_made_storable,
    test_two_creations_at_once_make_one,
)
from tests.systems.triplestore.test_inventory import (
    test_an_odd_entry_hides_no_other_one,
    test_what_was_made_is_listed_until_removed,
    test_who_is_no_administrator_is_refused,
)
from workspace_manager.contract.connector import ALREADY, CHANGED
from workspace_manager.contract.errors import Denied, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_sandbox.fault_proxy import FaultProxy
from workspace_sandbox.real import opengdb as real
from workspace_sandbox.real import rdf4j
from workspace_sandbox.server import CONTROL, running

__all__ = [
    "alice",
    "send",
    "test_a_creation_waits_while_the_store_is_down",
    "test_a_deletion_while_the_store_is_down_leaves_an_orphan",
    "test_a_graph_without_statements_is_none",
    "test_a_password_change_keeps_the_token_and_a_deletion_ends_it",
    "test_a_renewed_password_leaves_nothing_of_the_old_one",
    "test_a_restore_replaces_and_a_broken_one_changes_nothing",
    "test_a_second_delete_says_that_there_is_nothing",
    "test_a_store_that_is_down_is_seen",
    "test_a_title_is_made_storable",
    "test_a_token_is_given_for_a_form_alone",
    "test_a_user_is_created_once_and_half_made_by_an_error",
    "test_an_odd_entry_hides_no_other_one",
    "test_creating_an_id_again_deletes_its_data_and_then_breaks_it",
    "test_data_is_shown_to_whoever_may_read_it",
    "test_queries_see_the_union_of_all_graphs",
    "test_repositories_are_closed_when_they_are_made",
    "test_rights_only_add_up_and_a_refused_change_takes_them",
    "test_two_creations_at_once_make_one",
    "test_what_it_says_to_odd_calls",
    "test_what_was_made_is_listed_until_removed",
    "test_who_is_no_administrator_is_refused",
    "test_without_the_right_one_is_sent_to_a_login_page",
    "test_wrong_credentials_are_refused_everywhere",
]

pytestmark = pytest.mark.real("OpenGDB", "RDF4J")

DATABASE = "db.sqlite3"
LISTED = {"Accept": "application/sparql-results+json"}

real_rdf4j = pytest.fixture(scope="module", name="real_rdf4j")(an_rdf4j)
"""Its own: these tests look at everything there is."""


class OpenGdbProxy(FaultProxy):
    """The door to OpenGDB, with the stand-in's switch for its data layer: a second door, behind
    OpenGDB, that cuts every call off.
    """

    flavour = "opengdb"

    def __init__(self, upstream: str, store: FaultProxy) -> None:
        super().__init__(upstream)
        self.store = store
        self.local = self

    @property
    def down(self) -> bool:
        return bool(self.store.faults.waiting)

    @down.setter
    def down(self, wanted: bool) -> None:
        self.store.faults.waiting.clear()
        if wanted:
            self.store.faults.add({"fault": "reset", "times": 100000, "path": "", "method": ""})

    def add_control_routes(self, app: web.Application) -> None:
        app.router.add_post(f"{CONTROL}/storage", self._set_storage)

    async def _set_storage(self, request: web.Request) -> web.Response:
        self.down = bool((await request.json()).get("down"))
        return web.json_response({})


@pytest.fixture(scope="module")
def store(real_rdf4j: rdf4j.RDF4J) -> Iterator[FaultProxy]:
    """A door between OpenGDB and RDF4J."""
    assert real_rdf4j.url
    door = FaultProxy(real_rdf4j.url.removesuffix("/rdf4j-server"))
    with running(door):
        yield door


@pytest.fixture(scope="module")
def started(real_part: Callable[..., Part], store: FaultProxy) -> Iterator[real.OpenGDB]:
    part = real_part("OpenGDB", version=real.version(), why_not=real.why_not())
    password = Secret(ADMIN_PASSWORD)
    behind = f"{store.url}/rdf4j-server"
    yield from running_part(part, real.OpenGDB(rdf4j_url=behind, admin_password=password))


@pytest.fixture(scope="module")
def as_it_began(started: real.OpenGDB) -> sqlite3.Connection:
    """Its database before the first test: some of what they do no call undoes."""
    kept = sqlite3.connect(":memory:")
    with contextlib.closing(database(started)) as live:
        live.backup(kept)
    return kept


def database(started: real.OpenGDB) -> sqlite3.Connection:
    assert started._home
    return sqlite3.connect(started._home / DATABASE)


@pytest.fixture
def opengdb(
    started: real.OpenGDB, store: FaultProxy, as_it_began: sqlite3.Connection
) -> Iterator[OpenGdbProxy]:
    """OpenGDB with nothing in it, and an empty RDF4J behind it."""
    assert started.address
    front = OpenGdbProxy(started.address.url, store)
    with running(front):
        yield front
    front.down = False
    with contextlib.closing(database(started)) as live:
        as_it_began.backup(live)
    where = f"{store.url}/rdf4j-server/repositories"
    for row in httpx.get(where, headers=LISTED).json()["results"]["bindings"]:
        httpx.delete(f"{where}/{row['id']['value']}").raise_for_status()


@pytest.fixture
def flavour() -> str:
    return "opengdb"


@pytest.fixture
def stand_in(opengdb: OpenGdbProxy) -> OpenGdbProxy:
    return opengdb


def test_a_removal_waits_while_the_store_is_down(opengdb: OpenGdbProxy) -> None:
    """OpenGDB would answer 200 and leave the data."""
    system = connected(opengdb)  # type: ignore[arg-type]
    repositories = system.connectors[KIND]
    assert repositories.apply(plan_change(system, WANT)) == CHANGED
    change = plan_change(system, None)
    opengdb.down = True
    with pytest.raises(Unavailable):
        repositories.remove(change)
    opengdb.down = False
    assert plan_change(system, None).before == WANT, "the row is still there"
    assert repositories.remove(change) == CHANGED
    assert repositories.remove(change) == ALREADY
    assert repositories.verify(change)


def test_accounts_need_no_store(opengdb: OpenGdbProxy) -> None:
    """Somebody is let in, and shut out, while RDF4J is down."""
    system = connected(opengdb)  # type: ignore[arg-type]
    users = system.connectors["triplestore.user"]
    opengdb.down = True
    change = users.plan({"user": "ada"}, {"authorities": ["ROLE_USER"]})
    secret = change.model_copy(update={"secrets": {"password": "vault/1"}})
    assert users.apply(secret) == CHANGED
    assert users.verify(secret)
    gone = users.plan({"user": "ada"}, None)
    assert users.remove(gone) == CHANGED
    assert users.verify(gone)


def test_a_wrong_password_is_denied(opengdb: OpenGdbProxy) -> None:
    wrong = connected(opengdb, admin_password=Secret("another"))  # type: ignore[arg-type]
    with pytest.raises(Denied):
        wrong.prove_rights()


@pytest.mark.everything  # as MariaDB and RDF4J, whose starts cost less
def test_its_data_comes_back(started: real.OpenGDB, tmp_path: Path) -> None:
    """With the same administrator, at whatever port, before whatever RDF4J there is then."""
    for expected in ([], ["ada"]):
        part = real.OpenGDB(
            rdf4j_url=started.rdf4j_url,
            directory=tmp_path / "kept",
            admin_password=Secret(ADMIN_PASSWORD),
        )
        auth = ("admin", ADMIN_PASSWORD)
        with httpx.Client(base_url=part.start().url, auth=auth) as admin:
            listed = admin.get("/rest/security/users").json().values()
            assert [one["username"] for one in listed][1:] == expected
            admin.post("/rest/security/users/ada", json={"password": "pw"})
        part.stop()


@pytest.mark.everything  # as MariaDB and RDF4J, whose starts cost less
def test_what_a_killed_run_left_is_cleared(started: real.OpenGDB) -> None:
    check_leftovers_are_cleared(real, f"OpenGDB(rdf4j_url={started.rdf4j_url!r})")
    assert started.address
    assert httpx.get(f"{started.address.url}/rest/repositories").status_code == 200
