"""Notices, the letters that a person got, and webhooks, by REST."""

from typing import Any

import pytest

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.letters import mail_outbox
from workspace_manager.records.models import Mail, Person, WebhookDelivery

HOOK = {"url": "https://tools.example.org/hook", "label": "Tools", "events": ["registration.*"]}


def how(answer: Any) -> dict[str, str]:
    return {one["kind"]: one["how"] for one in answer.json()["notices"]}


def test_everybody_chooses_for_themselves(as_alice: Visitor, as_bob: Visitor) -> None:
    usual = how(as_alice.ask("GET", "/me/notices"))
    assert usual["invitation"] == "at_once"
    assert (usual["token"], usual["own_account"]) == ("at_once", "daily")
    assert "system_down" not in usual, "nothing of it ever waits for her"
    chosen = as_alice.ask("PUT", "/me/notices", {"notices": {"invitation": "never"}})
    assert how(chosen) == {**usual, "invitation": "never"}
    assert how(as_bob.ask("GET", "/me/notices")) == usual
    problem(as_alice.ask("PUT", "/me/notices", {"notices": {"system_down": "never"}}), 422)
    problem(as_alice.ask("PUT", "/me/notices", {"notices": {"invitation": "hourly"}}), 422)


def test_what_somebody_was_told_and_why_not(as_administrator: Visitor, alice: Person) -> None:
    Mail.objects.create(
        to="alice@example.org", person=alice, subject="Welcome", sent_at="2030-01-01T00:00Z"
    )
    Mail.objects.create(to=alice.email, subject="Somebody else's, who had the address before")
    slow = mail_outbox.MailFailure.SLOW
    Mail.objects.create(to=alice.email, person=alice, subject="Down", kind="notice", trouble=slow)
    Mail.objects.create(to="bob@example.org", subject="Other")
    found = as_administrator.ask("GET", "/people/alice/letters?sort=created_at").json()
    assert [one["subject"] for one in found["items"]] == ["Welcome", "Down"]
    assert found["items"][1]["trouble_message"] == {"code": "core.slow", "params": {}}
    assert as_administrator.ask("GET", "/people/alice/letters?kind=notice").json()["count"] == 1
    alice.delete()
    assert not Mail.objects.filter(subject="Down").exists(), "it goes with the person"


def test_a_webhook_is_made_changed_rotated_and_deleted(as_administrator: Visitor) -> None:
    made = as_administrator.ask("POST", "/webhooks", HOOK)
    assert made.status_code == 201
    document = made.json()
    where = f"/webhooks/{document['id']}"
    assert made.headers["Location"] == f"/api/v1{where}"
    assert document["secret"].startswith("whsec_")
    assert "secret" not in as_administrator.ask("GET", where).json()
    changed = as_administrator.ask("PATCH", where, {"events": ["*"], "enabled": False}).json()
    assert (changed["events"], changed["enabled"], changed["disabled"]) == (["*"], False, "person")
    problem(as_administrator.ask("POST", f"{where}/test"), 409)
    as_administrator.ask("PATCH", where, {"enabled": True})
    rotated = as_administrator.ask("POST", f"{where}/rotate").json()
    assert rotated["secret"] != document["secret"]
    assert rotated["old_secret_until"]
    assert as_administrator.ask("DELETE", where).status_code == 204
    problem(as_administrator.ask("GET", where), 404)


def test_a_delivery_is_seen_and_sent_again(as_administrator: Visitor) -> None:
    where = f"/webhooks/{as_administrator.ask('POST', '/webhooks', HOOK).json()['id']}"
    sent = as_administrator.ask("POST", f"{where}/test")
    assert sent.status_code == 202
    again = f"{where}/deliveries/{sent.json()['id']}/redeliver"
    problem(as_administrator.ask("POST", again), 409)
    WebhookDelivery.objects.update(state="failed", ended_at="2030-01-01T00:00Z", status=500)
    (row,) = as_administrator.ask("GET", f"{where}/deliveries?state=failed").json()["items"]
    assert (row["state"], row["status"], row["next_try_at"]) == ("failed", 500, None)
    assert row["message_id"] == f"msg_{row['id'].replace('-', '')}"
    assert as_administrator.ask("POST", again).json()["state"] == "waiting"


@pytest.mark.parametrize(
    ("member", "value"),
    [("url", "https://127.0.0.1/"), ("label", " "), ("events", []), ("events", ["Nonsense"])],
)
def test_what_cannot_be_a_webhook(as_administrator: Visitor, member: str, value: Any) -> None:
    refused = problem(as_administrator.ask("POST", "/webhooks", {**HOOK, member: value}), 422)
    assert [error["field"] for error in refused["errors"]] == [member]
