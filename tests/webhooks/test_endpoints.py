"""An event reaches a receiver, signed, once it can be reached, and nobody else."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import transaction
from django.utils import timezone
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from tests.clock import just_over
from tests.dripping import Dripping
from tests.webhooks.receiver import ReceivedDelivery, Receiver
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract import deadline
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.messages import message as contract_message
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.records.models import AuditEntry, WebhookDelivery, WebhookEndpoint
from workspace_manager.webhooks import endpoints, outbox, sender, signature
from workspace_manager.webhooks.messages import message
from workspace_sandbox.patience import ends_before

pytestmark = pytest.mark.django_db
State = WebhookDelivery.State
WITHOUT_END = [b"slow"] * 5000
"""A quarter of an hour, at a receiver that waits a moment after each."""


def make_endpoint(url: str, *events: str) -> tuple[WebhookEndpoint, str]:
    return endpoints.make(url, label="Tools", events=events or ("registration.*",), actor="ada")


def something_happens(name: str = "mira") -> None:
    note("registration:approved", name, actor="ada", until="2030-01-01")


def let_time_pass() -> None:
    """What waits for its next try is due."""
    now = timezone.now() - timedelta(seconds=1)
    WebhookDelivery.objects.filter(state=State.WAITING).update(next_try_at=now)
    WebhookEndpoint.objects.update(rests_until=None)


def read(came: ReceivedDelivery, secret: str) -> Any:
    return Webhook(secret).verify(came.body, came.headers)


def test_what_happened_arrives_signed_and_is_proven_with_the_library(receiver: Receiver) -> None:
    endpoint, secret = make_endpoint(receiver.url)
    something_happens()
    note("person:signed_in", "mira", actor="mira")
    assert sender.due_deliveries() == [endpoint.id]
    assert sender.send(endpoint.id) is None
    (came,) = receiver.came
    assert came.path == "/hook?key=1"
    document = read(came, secret)
    assert document["type"] == "registration.approved"
    assert document["data"]["subject"] == "mira"
    assert document["data"]["details"] == {"until": "2030-01-01"}
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(came.body + b" ", came.headers)
    row = WebhookDelivery.objects.get()
    assert (row.state, row.status, row.tries, row.trouble) == (State.DELIVERED, 204, 1, None)
    assert came.headers["webhook-id"] == f"msg_{row.id.hex}"


@pytest.mark.django_db(transaction=True)
def test_what_is_taken_back_is_not_told(receiver: Receiver) -> None:
    make_endpoint(receiver.url)
    with transaction.atomic():
        something_happens()
        transaction.set_rollback(True)
    assert not WebhookDelivery.objects.exists()
    something_happens()
    assert WebhookDelivery.objects.count() == 1


def test_a_host_ahead_of_the_database_delays_no_first_try(receiver: Receiver) -> None:
    endpoint, _ = make_endpoint(receiver.url)
    something_happens()
    ahead = timezone.now() + timedelta(minutes=1)
    WebhookDelivery.objects.update(created_at=ahead, next_try_at=ahead)
    assert sender.due_deliveries() == [endpoint.id]
    assert sender.send(endpoint.id) is None
    assert len(receiver.came) == 1


def test_what_is_not_taken_is_tried_again_under_the_same_id(receiver: Receiver) -> None:
    endpoint, secret = make_endpoint(receiver.url)
    receiver.answers = [500]
    something_happens()
    wait = sender.send(endpoint.id)
    assert wait is not None
    assert 3 < wait < 6
    row = WebhookDelivery.objects.get()
    assert (row.state, row.status, row.trouble) == (
        State.WAITING,
        500,
        message("answered", status=500),
    )
    assert sender.due_deliveries() == [], "it is left alone for a while"
    let_time_pass()
    sender.send(endpoint.id)
    first, second = receiver.came
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert read(second, secret) == read(first, secret)
    assert WebhookEndpoint.objects.get().failing_since is None


def test_three_days_of_tries_and_it_is_given_up(receiver: Receiver) -> None:
    endpoint, _ = make_endpoint(receiver.url)
    tries = len(sender.WAITS_S) + 1
    receiver.answers = [404] * tries
    something_happens()
    for _n in range(tries):
        let_time_pass()
        sender.send(endpoint.id)
    assert sum(sender.WAITS_S) > timedelta(days=3).total_seconds()
    row = WebhookDelivery.objects.get()
    assert (row.state, row.tries, row.status) == (State.FAILED, tries, 404)
    assert len(receiver.came) == tries
    endpoints.redeliver(endpoint.id, row.id, actor="ada")
    sender.send(endpoint.id)
    assert WebhookDelivery.objects.get(id=row.id).state == State.DELIVERED


def test_after_a_rotation_both_secrets_prove_it_for_a_day(receiver: Receiver) -> None:
    endpoint, old = make_endpoint(receiver.url)
    _, new = endpoints.rotate(endpoint.id, actor="ada")
    something_happens()
    sender.send(endpoint.id)
    assert old != new
    assert read(receiver.came[0], old) == read(receiver.came[0], new)
    WebhookEndpoint.objects.update(old_until=just_over())
    something_happens()
    sender.send(endpoint.id)
    assert read(receiver.came[1], new)["type"] == "registration.approved"
    with pytest.raises(WebhookVerificationError):
        read(receiver.came[1], old)
    endpoints.look_after()
    assert WebhookEndpoint.objects.get().old_secret is None


def test_after_two_rotations_each_secret_has_its_own_day(receiver: Receiver) -> None:
    endpoint, first = make_endpoint(receiver.url)
    _, second = endpoints.rotate(endpoint.id, actor="ada")
    _, third = endpoints.rotate(endpoint.id, actor="ada")
    something_happens()
    sender.send(endpoint.id)
    for secret in (first, second, third):
        assert read(receiver.came[0], secret)["type"] == "registration.approved"
    endpoint.refresh_from_db()
    delivery = WebhookDelivery.objects.get()
    later = timezone.now() + timedelta(hours=25)
    assert len(signature.headers(endpoint, delivery, later)["webhook-signature"].split()) == 1
    for _ in range(10):
        endpoints.rotate(endpoint.id, actor="ada")
    endpoint.refresh_from_db()
    signed = signature.headers(endpoint, delivery, timezone.now())["webhook-signature"]
    assert len(signed.split()) == 1 + signature.MOST_OLD


@pytest.mark.parametrize(
    ("event", "known"),
    [
        ("registration.aproved", "registration.approved"),
        ("registraton.*", "registration.*"),
        ("waiting.over", "waiting.ended"),
    ],
)
def test_an_event_that_there_is_not_is_refused_with_those_there_are(event: str, known: str) -> None:
    with pytest.raises(BadInput) as refused:
        make_endpoint("https://a.test/", event)
    assert known in refused.value.messages["events"].english
    for right in ("*", "waiting.began", "webhook.*", "registration.approved"):
        make_endpoint("https://a.test/", right)


def test_who_is_gone_or_takes_nothing_for_days_is_not_told_any_more(receiver: Receiver) -> None:
    endpoint, _ = make_endpoint(receiver.url)
    receiver.answers = [410]
    something_happens()
    something_happens()
    assert sender.send(endpoint.id) is None
    assert len(receiver.came) == 1
    assert WebhookEndpoint.objects.get().disabled == WebhookEndpoint.Disabled.GONE
    something_happens()
    assert WebhookDelivery.objects.count() == 2
    assert AuditEntry.objects.filter(event="webhook:disabled", actor=MANAGER).exists()
    with pytest.raises(Refused):
        endpoints.test(endpoint.id, actor="ada")
    endpoints.change(endpoint.id, actor="ada", enabled=True)
    receiver.answers = [404]
    WebhookEndpoint.objects.update(failing_since=timezone.now() - sender.GIVEN_UP_AFTER)
    sender.send(endpoint.id)
    assert WebhookEndpoint.objects.get().disabled == WebhookEndpoint.Disabled.FAILING


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    endpoint, _ = make_endpoint(receiver.url)
    receiver.answers, receiver.location = [302], receiver.url
    something_happens()
    sender.send(endpoint.id)
    assert len(receiver.came) == 1
    assert WebhookDelivery.objects.get().status == 302


def test_a_slow_receiver_ends_in_time_and_rests(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "POLICY", CallPolicy(connect_s=1, answer_s=0.3))
    with Dripping().running() as slow:
        endpoint, _ = make_endpoint(slow.url)
        other, _ = make_endpoint(receiver.url)
        something_happens("mira")
        something_happens("nora")
        with ends_before(slow.over):
            sender.send(endpoint.id)
        assert sender.due_deliveries() == [other.id]
    row, other_one = WebhookDelivery.objects.filter(endpoint=endpoint).order_by("-tries")
    assert (row.tries, other_one.tries) == (1, 0), "the other one is not tried in vain"
    assert (row.state, row.status) == (State.WAITING, None)


@pytest.mark.parametrize(
    ("says", "headers"),
    [
        ([b"x" * 70_000], {}),
        ([b"abc"], {"Content-Encoding": "br"}),
        ([b"abc"], {"Content-Encoding": "gzip"}),
        ([b"abc"], {"Content-Length": "10"}),
        (WITHOUT_END, {}),
    ],
    ids=["large", "brotli", "garbled", "cut", "slow"],
)
def test_the_status_decides_whatever_the_body_is(
    receiver: Receiver,
    says: list[bytes],
    headers: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if says is WITHOUT_END:
        # What the others say ends by itself, and may take as long as it takes.
        monkeypatch.setattr(sender, "POLICY", CallPolicy(connect_s=5, answer_s=5))
    endpoint, _ = make_endpoint(receiver.url)
    receiver.answers, receiver.says, receiver.headers = [200, 503], says, headers
    something_happens()
    with ends_before(receiver.over):
        sender.send(endpoint.id)
    row = WebhookDelivery.objects.get()
    assert (row.state, row.status, row.trouble) == (State.DELIVERED, 200, None)
    endpoint.refresh_from_db()
    assert (endpoint.failures, endpoint.rests_until) == (0, None)
    something_happens()
    with ends_before(receiver.over):
        sender.send(endpoint.id)
    assert WebhookDelivery.objects.get(status=503).trouble is not None


def test_who_says_something_short_is_not_cut_off(receiver: Receiver) -> None:
    endpoint, _ = make_endpoint(receiver.url)
    receiver.says = [b"x" * 1000, b"y" * 1000, b"z" * 1000]
    receiver.answers = [200]
    something_happens()
    sender.send(endpoint.id)
    assert not receiver.cut_off


def test_one_at_a_time_for_each_receiver(receiver: Receiver) -> None:
    endpoint, _ = make_endpoint(receiver.url)
    something_happens()
    WebhookEndpoint.objects.update(claimed_until=timezone.now() + timedelta(seconds=30))
    assert sender.due_deliveries() == []
    assert sender.send(endpoint.id) is None
    assert receiver.came == []
    WebhookEndpoint.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
    sender.send(endpoint.id)
    assert len(receiver.came) == 1, "who held it was killed"


@pytest.mark.parametrize(
    "url",
    [
        "http://tools.example.org/hook",
        "https://127.0.0.1/hook",
        "https://localhost/hook",
        "https://10.1.2.3/hook",
        "https://[::1]/hook",
        "https://[::ffff:192.168.1.1]/hook",
        "https://[64:ff9b::a00:1]/hook",
        "https://169.254.169.254/latest/meta-data",
        "https://ada:secret@tools.example.org/hook",
        "ftp://tools.example.org/",
        "https:///hook",
        "https://tools.example.org:99999/",
    ],
)
def test_where_a_webhook_may_not_lead(url: str) -> None:
    with pytest.raises(BadInput) as wrong:
        make_endpoint(url)
    assert wrong.value.errors.keys() == {"url"}


def test_a_name_that_leads_to_this_machine_is_not_called(
    receiver: Receiver, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it led to when it was typed."""
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = False
    endpoint, _ = make_endpoint("https://tools.example.org/hook")
    monkeypatch.setattr(
        "workspace_manager.contract.wire.addresses",
        lambda _host, _port: [(2, 1, 6, "", ("127.0.0.1", receiver.port))],
    )
    something_happens()
    sender.send(endpoint.id)
    row = WebhookDelivery.objects.get()
    assert row.trouble == contract_message("not_public")
    assert receiver.came == []


def test_so_many_wait_and_what_is_beyond_is_counted(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MOST_WAITING", 2)
    make_endpoint(receiver.url)
    for _n in range(5):
        something_happens()
    assert WebhookDelivery.objects.count() == 2
    assert WebhookEndpoint.objects.get().left_out == 3


def test_old_deliveries_are_forgotten(receiver: Receiver) -> None:
    make_endpoint(receiver.url)
    something_happens()
    something_happens()
    old = WebhookDelivery.objects.first()
    assert old is not None
    before = timezone.now() - endpoints.KEPT - timedelta(hours=1)
    WebhookDelivery.objects.filter(id=old.id).update(created_at=before)
    endpoints.look_after()
    assert WebhookDelivery.objects.count() == 1


def test_its_secret_and_its_whole_address_are_in_no_row_of_the_audit(receiver: Receiver) -> None:
    endpoint, secret = make_endpoint(receiver.url, "*")
    _, new = endpoints.rotate(endpoint.id, actor="ada")
    endpoints.change(endpoint.id, actor="ada", label="Other")
    written = json.dumps([*AuditEntry.objects.values_list("details", "subject")])
    assert "whsec" not in written
    assert "key=1" not in written
    kept = WebhookEndpoint.objects.extra(select={"raw": "secret"}).values_list("raw", flat=True)
    assert new.encode() not in bytes(kept[0])
    assert secret != new
    endpoints.remove(endpoint.id, actor="ada")
    assert not WebhookDelivery.objects.exists()


def test_a_test_is_sent_whatever_is_asked_for(receiver: Receiver) -> None:
    endpoint, secret = make_endpoint(receiver.url, "project.*")
    endpoints.test(endpoint.id, actor="ada")
    sender.send(endpoint.id)
    assert read(receiver.came[0], secret)["type"] == outbox.TEST


def test_a_send_that_finds_no_place_has_tried_nothing(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint, _ = make_endpoint(receiver.url)
    something_happens()
    monkeypatch.setattr(sender, "AT_ONCE", 0)
    with deadline.time_limit(0.1):
        assert sender.send(endpoint.id)
    assert WebhookDelivery.objects.get().tries == 0
