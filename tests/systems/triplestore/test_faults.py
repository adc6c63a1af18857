"""Failures of these stores' own, through the wire, and that no secret gets out. Those that every
system has are in tests/conformance.
"""

from typing import Any

import pytest

from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import Denied, Invalid
from workspace_manager.systems.triplestore.client import session
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn, accounts

from .conftest import ADMIN_PASSWORD, CANARY, connected

USER = Change(
    kind="triplestore.user",
    subject="",
    target={"user": "alice"},
    after={"authorities": ["ROLE_USER"]},
    secrets={"password": "vault/1"},
)
GONE: dict[str, Any] = {"after": None, "secrets": {}}


@pytest.fixture(autouse=True)
def forget_tokens() -> None:
    session._tokens.clear()


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
