"""One odd name from one system hides nothing: neither the rest of that system nor the others."""

import httpx
import pytest
from django.db import DataError

from tests.reconcile.fakes import Walks
from tests.web.api.conftest import identity_provider, stand_in
from workspace_manager.contract.body import Body
from workspace_manager.reconcile import schedule, walk
from workspace_manager.records.models import ReconcileItem
from workspace_manager.wiring import connected_systems
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

pytestmark = pytest.mark.django_db
USER = "sql_server.user"
__all__ = ["identity_provider", "stand_in"]


@pytest.mark.parametrize("odd", ["a\ud800", "a\x00", "x" * 5000])
def test_what_an_account_says_of_itself_is_brought_to_what_is_kept(walks: Walks, odd: str) -> None:
    texts = ("full_name", "email", "username", "sub")
    walks.holding.put(USER, "anna", **dict.fromkeys(texts, odd))
    walks.holding.put(USER, "bert")
    for _ in range(2):
        assert walks.run().state == "done"
        assert walks.found() == [("unknown_account", "anna"), ("unknown_account", "bert")]
    item = ReconcileItem.objects.get(name="anna")
    assert "�" in item.full_name or item.full_name.endswith("…")
    assert max(len(item.full_name), len(item.login_name), len(item.sub)) <= 255


@pytest.mark.parametrize("odd", ["a\ud800", "a\x00", "x" * 5000])
def test_an_account_that_cannot_be_named_is_left_out(walks: Walks, odd: str) -> None:
    walks.holding.put(USER, odd)
    walks.holding.put(USER, "bert")
    assert walks.run().state == "done"
    assert walks.found() == [("unknown_account", "bert")]


@pytest.mark.parametrize("odd", [ValueError, UnicodeError, DataError])
def test_what_cannot_be_compared_ends_only_its_own_part(
    walks: Walks, odd: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    walks.holding.broken["sql_server"] = lambda: odd("of the row: secret")
    walks.holding.put("triplestore.user", "dora")

    run = walks.run()

    part = run.parts.get(system="sql_server")
    assert (run.state, part.state, part.reason.code) == (
        "done",
        "unread",
        "reconcile.not_comparable",
    )
    assert "secret" not in part.reason.english
    assert "sql_server could not be compared" in caplog.text
    assert walks.found() == [("unknown_account", "dora")]


def test_half_a_character_on_the_wire(
    identity_provider: IdentityProviderStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = f"{identity_provider.url}/realms/master/protocol/openid-connect/token"
    form = {
        "grant_type": "password",
        "client_id": "admin-cli",
        "username": "admin",
        "password": "admin",
    }
    token = httpx.post(base, data=form).json()["access_token"]
    user = {"username": "mallory", "firstName": "HALF", "enabled": True, "email": "m@example.org"}
    made = httpx.post(
        f"{identity_provider.url}/admin/realms/workspace/users",
        headers={"Authorization": f"Bearer {token}"},
        json=user,
    )
    assert made.status_code == 201
    whole = Body.whole
    monkeypatch.setattr(Body, "whole", lambda body: whole(body).replace(b"HALF", rb"\ud800"))

    run = walk.begin("ada")
    schedule.look(connected_systems())

    assert run.parts.get(system="identity_provider").state == "done"
    assert ReconcileItem.objects.get(login_name="mallory").full_name == "�"
