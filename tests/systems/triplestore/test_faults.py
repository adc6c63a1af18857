"""Every failure through the wire: what the connectors raise, and that no secret gets out."""

from collections.abc import Callable
from typing import Any

import pytest

from workspace_manager.contract.connector import CallPolicy, Change
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.systems.triplestore import client
from workspace_manager.systems.triplestore.connector import Triplestore
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn, accounts

from .conftest import ADMIN_PASSWORD, CANARY, connected

USER = Change(
    kind="triplestore.user",
    subject="",
    target={"user": "alice"},
    after={"authorities": ["ROLE_USER"]},
    secrets={"password": "vault/1"},
)
REPOSITORY = Change(
    kind="triplestore.repository",
    subject="",
    target={"repository": "ts-a"},
    after={"title": "A"},
)
GONE: dict[str, Any] = {"after": None, "secrets": {}}

CALLS: dict[str, Callable[[Triplestore], Any]] = {
    "plan user": lambda s: s.connectors[USER.kind].plan(USER.target, USER.after),
    "apply user": lambda s: s.connectors[USER.kind].apply(USER),
    "remove user": lambda s: s.connectors[USER.kind].remove(USER.model_copy(update=GONE)),
    "verify user": lambda s: s.connectors[USER.kind].verify(USER),
    "plan repository": lambda s: s.connectors[REPOSITORY.kind].plan(
        REPOSITORY.target, REPOSITORY.after
    ),
    "apply repository": lambda s: s.connectors[REPOSITORY.kind].apply(REPOSITORY),
    "remove repository": lambda s: s.connectors[REPOSITORY.kind].remove(
        REPOSITORY.model_copy(update=GONE)
    ),
    "verify repository": lambda s: s.connectors[REPOSITORY.kind].verify(REPOSITORY),
    "prove rights": lambda s: s.prove_rights(),
}


@pytest.fixture(autouse=True)
def forget_tokens() -> None:
    client._tokens.clear()


@pytest.mark.parametrize(
    ("fault", "status", "expected"),
    [
        ("status", 500, Unavailable),
        ("status", 502, Unavailable),
        ("status", 503, Unavailable),
        ("status", 429, Unavailable),
        ("reset", 0, Unavailable),
        ("truncated", 0, Unavailable),
        ("garbage", 0, Invalid),
        ("html", 0, Invalid),
        ("status", 401, Denied),
        ("redirect", 0, Denied),
    ],
)
@pytest.mark.parametrize("call", CALLS)
def test_every_call_takes_every_failure_for_what_it_is(
    opengdb: TriplestoreStandIn, call: str, fault: str, status: int, expected: type[ConnectorError]
) -> None:
    opengdb.faults.add(
        {
            "path": "^/rest/(security/users|repositories)",
            "fault": fault,
            "status": status,
            "times": 9,
        }
    )
    opengdb.faults.waiting[-1].retry_after = "17" if status == 429 else ""
    with pytest.raises(expected) as caught:
        CALLS[call](connected(opengdb))
    said = f"{caught.value} {caught.value.advice} {caught.value.detail}"
    assert CANARY not in said
    assert ADMIN_PASSWORD not in said
    if status == 429:
        assert caught.value.retry_after == 17
    assert opengdb.state["repositories"] == []


def test_a_slow_answer_is_unavailable(opengdb: TriplestoreStandIn) -> None:
    hasty = CallPolicy(answer_s=0.05)
    opengdb.faults.add({"path": "/users", "fault": "delay", "seconds": 60})
    with pytest.raises(Unavailable):
        connected(opengdb, calls=hasty).prove_rights()


def test_a_server_that_is_not_there_is_unavailable(opengdb: TriplestoreStandIn) -> None:
    with pytest.raises(Unavailable):
        connected(opengdb, url="http://127.0.0.1:9").prove_rights()


def test_a_wrong_password_is_denied_and_tried_once(opengdb: TriplestoreStandIn) -> None:
    opengdb.state["users"]["admin"]["password"] = accounts.hashed("another")
    with pytest.raises(Denied):
        connected(opengdb).prove_rights()
    tokens = [one for one in opengdb.ledger.items if one["path"] == "/api-token-auth/"]
    assert len(tokens) == 1


def test_a_wrong_address_is_invalid(opengdb: TriplestoreStandIn) -> None:
    with pytest.raises(Invalid):
        connected(opengdb, url=f"{opengdb.url}/somewhere").prove_rights()


def test_no_outcome_or_evidence_holds_a_secret(stand_in: TriplestoreStandIn) -> None:
    system = connected(stand_in)
    users = system.connectors[USER.kind]
    found = [
        users.plan(USER.target, USER.after),
        users.apply(USER),
        users.verify(USER),
        users.remove(USER.model_copy(update=GONE)),
        system.prove_rights(),
        *system.check(),
    ]
    written = "".join(one.model_dump_json() for one in found if one is not None)
    assert CANARY not in written
    assert ADMIN_PASSWORD not in written
    assert ADMIN_PASSWORD not in str(stand_in.what_exists())
