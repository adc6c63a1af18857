"""The client: which product, which credential, and honest second deletes."""

import json

import httpx
import pytest

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.triplestore.client import session
from workspace_manager.systems.triplestore.client.calls import TriplestoreClient
from workspace_manager.systems.triplestore.refusals import refusal
from workspace_manager.systems.triplestore.settings import Settings
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn, accounts

from .conftest import ADMIN_PASSWORD


@pytest.fixture(autouse=True)
def forget_tokens() -> None:
    session._tokens.clear()


def make_client(
    stand_in: TriplestoreStandIn, flavour: str = "auto", username: str = "admin"
) -> TriplestoreClient:
    password = Secret(ADMIN_PASSWORD)
    return TriplestoreClient(Settings(stand_in.url, flavour, username, password))


def paths(stand_in: TriplestoreStandIn) -> list[str]:
    return [one["path"] for one in stand_in.ledger.items]


def test_the_product_is_asked_once(stand_in: TriplestoreStandIn, flavour: str) -> None:
    one = make_client(stand_in)
    assert [one.flavour(), one.flavour()] == [flavour, flavour]
    assert paths(stand_in) == ["/rest/security"]


def test_a_product_that_is_set_is_not_asked(stand_in: TriplestoreStandIn) -> None:
    assert make_client(stand_in, "graphdb").flavour() == "graphdb"
    assert paths(stand_in) == []


def test_a_token_is_fetched_once_for_all_clients(opengdb: TriplestoreStandIn) -> None:
    make_client(opengdb).accounts()
    make_client(opengdb).accounts()
    assert paths(opengdb).count("/api-token-auth/") == 1


def test_a_token_that_died_is_replaced(opengdb: TriplestoreStandIn) -> None:
    make_client(opengdb).accounts()
    opengdb.state["users"]["admin"]["token"] = None
    assert len(make_client(opengdb).accounts()) == 1
    assert paths(opengdb).count("/api-token-auth/") == 2


def test_a_name_with_an_edge_blank_signs_in_by_password(opengdb: TriplestoreStandIn) -> None:
    """The token address cuts the blank off, and would refuse the name."""
    opengdb.state["users"]["boss "] = accounts.new_account(ADMIN_PASSWORD, superuser=True)
    assert len(make_client(opengdb, username="boss ").accounts()) == 2
    assert "/api-token-auth/" not in paths(opengdb)


def test_a_server_without_tokens_takes_the_password(opengdb: TriplestoreStandIn) -> None:
    opengdb.faults.add({"path": "^/api-token-auth/", "fault": "status", "status": 404, "times": 9})
    assert len(make_client(opengdb).accounts()) == 1


def test_an_answer_without_a_token_is_not_believed(opengdb: TriplestoreStandIn) -> None:
    opengdb.faults.add({"path": "^/api-token-auth/", "fault": "garbage"})
    with pytest.raises(Invalid):
        make_client(opengdb).accounts()


@pytest.mark.parametrize(
    "document",
    [
        {"message": "no Route matched with those values"},
        {"message": "Not Found"},
        {"detail": "Not Found"},
        {"timestamp": 1, "status": 404, "error": "Not Found", "path": "/rest/security/users/x"},
        {"error": {"message": "no backend"}},
        [],
    ],
)
@pytest.mark.parametrize("flavour", ["opengdb", "graphdb"])
def test_a_gateways_404_is_no_absence(document: object, flavour: str) -> None:
    """JSON alone proves nothing: a gateway that lost its route would make every account
    look gone.
    """
    headers = httpx.Headers({"content-type": "application/json"})
    content = json.dumps(document).encode()
    answer = Answer("GET", "/", 404, headers, content, "triplestore.user", quote_words("looking"))
    assert type(refusal(answer, flavour=flavour)) is Invalid


def test_a_second_delete_says_that_there_is_nothing(stand_in: TriplestoreStandIn) -> None:
    one = make_client(stand_in)
    one.create_account("alice", Secret("pw-1"), ["ROLE_USER"])
    one.delete_account("alice")
    with pytest.raises(NotFound):
        one.delete_account("alice")
    with pytest.raises(NotFound):
        one.account("alice")


def test_a_password_is_tried_without_a_trace(stand_in: TriplestoreStandIn) -> None:
    one = make_client(stand_in)
    one.create_account("alice", Secret("pw-1"), ["ROLE_USER"])
    before = stand_in.version
    assert one.password_works("alice", Secret("pw-1"))
    assert not one.password_works("alice", Secret("pw-2"))
    assert stand_in.version == before
    assert stand_in.state["users"]["alice"]["token"] is None


def test_repositories_are_closed_when_they_are_made(opengdb: TriplestoreStandIn) -> None:
    one = make_client(opengdb)
    one.create_repository("ts-a", "A")
    (found,) = one.repositories()
    assert (found.public_read, found.public_write) == (False, False)
    assert one.stored_ids() == {"ts-a"}
    one.delete_repository("ts-a")
    with pytest.raises(NotFound):
        one.delete_repository("ts-a")


@pytest.mark.parametrize(
    ("product", "status", "headers", "body"),
    [
        ("opengdb", 403, {"Content-Type": "text/html"}, "<html>blocked</html>"),
        ("opengdb", 404, {"Content-Type": "text/html"}, ""),
        ("graphdb", 302, {"Location": "/login"}, ""),
    ],
)
def test_a_password_is_not_right_because_something_else_answers(
    product: str, status: int, headers: dict[str, str], body: str
) -> None:
    one = TriplestoreClient(Settings("http://store", product, "admin", Secret(ADMIN_PASSWORD)))
    wire = httpx.MockTransport(lambda _: httpx.Response(status, headers=headers, text=body))
    one._http = HttpClient(one.url, system="triplestore", transport=wire)
    with pytest.raises(Denied):
        one.password_works("alice", Secret("p"))
