"""`/reconcile/{id}/take-over` and `/take-overs`."""

from typing import Any

import pytest

from tests.reconcile.found_accounts import add_unknown_account, ended_run, user
from tests.visitors import Visitor
from workspace_manager.records.models import Person

pytestmark = pytest.mark.django_db


def test_what_is_listed_is_confirmed_once_and_undone(as_administrator: Visitor) -> None:
    run = ended_run()
    user("grace")
    mine = user("heidi")
    add_unknown_account("sql_server.user", "Grace")
    at = f"/api/v1/reconcile/{run.id}/take-over"

    def listed(query: str = "") -> dict[str, Any]:
        answer = as_administrator.get(f"{at}{query}")
        assert answer.status_code == 200, answer.content
        document: dict[str, Any] = answer.json()
        return document

    shown = listed()
    assert (shown["count"], shown["proposals"]) == (3, 2)
    assert [one["login_name"] for one in listed("?proposed=true")["items"]] == ["grace", "heidi"]
    (refused,) = listed("?proposed=false")["items"]
    assert refused["why_message"]["code"] == "take_over.written_otherwise"
    wrong = as_administrator.post(at, {"digest": "another"}, content_type="application/json")
    assert wrong.status_code == 409
    body = {"digest": shown["digest"], "items": [mine.n]}
    for _ in range(2):
        done = as_administrator.post(at, body, content_type="application/json").json()
        assert (done["chosen"], done["taken"], done["not_taken"]) == (1, 1, [])
    assert Person.objects.get(username="heidi").role == "user"
    assert not Person.objects.filter(username="grace").exists()
    history = as_administrator.get("/api/v1/take-overs").json()
    assert [one["id"] for one in history["items"]] == [done["id"]]
    undone = as_administrator.ask("POST", f"/take-overs/{done['id']}/undo")
    assert undone.json() == {"accounts": 1, "kept": []}
    assert as_administrator.ask("POST", f"/take-overs/{done['id']}/undo").status_code == 409
    assert listed()["proposals"] == 2
