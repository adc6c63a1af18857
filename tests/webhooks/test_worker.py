"""The worker tells webhooks, each by itself, and looks each minute at what waits."""

from typing import Any

import pytest

from tests.webhooks.receiver import Receiver
from workspace_manager import worker
from workspace_manager.audit.note import note
from workspace_manager.core.locks import lock
from workspace_manager.notices import letters, waiting_events
from workspace_manager.records.models import Lock, WebhookDelivery
from workspace_manager.webhooks import endpoints, sender

pytestmark = pytest.mark.django_db


def test_what_waits_for_a_webhook_is_sent_and_tried_again(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Any] = []
    monkeypatch.setattr(
        worker.send_webhook, "schedule", lambda args, delay: later.append((args, delay))
    )
    endpoint, _ = endpoints.make(receiver.url, label="T", events=["token.*"], actor="ada")
    receiver.answers = [503]
    note("token:created", "mira", actor="mira")
    worker.send_webhook.call_local(str(endpoint.id))
    ((args, delay),) = later
    assert args == (str(endpoint.id),)
    assert 0 < delay <= worker.WEBHOOKS_SWEPT_S
    assert sender.due_deliveries() == []
    assert WebhookDelivery.objects.get().tries == 1


def test_one_host_at_a_time_looks_at_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(letters, "tell_everybody", lambda: looked.append("letters"))
    monkeypatch.setattr(waiting_events, "tell", lambda: looked.append("webhooks"))
    worker.tell_what_waits.call_local()
    assert looked == ["letters", "webhooks"]
    assert not Lock.objects.exists()
    with lock("notices", token="another host"):
        worker.tell_what_waits.call_local()
    assert looked == ["letters", "webhooks"]


def test_what_keeps_letters_back_keeps_no_webhook_back(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def fail() -> None:
        raise OSError("no room")

    monkeypatch.setattr(letters, "tell_everybody", fail)
    monkeypatch.setattr(waiting_events, "tell", lambda: looked.append("webhooks"))
    with pytest.raises(OSError, match="no room"):
        worker.tell_what_waits.call_local()
    assert looked == ["webhooks"]
