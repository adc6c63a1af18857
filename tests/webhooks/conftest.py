"""Webhooks are told, and may lead to this machine."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from tests.webhooks.receiver import Receiver, receiving
from workspace_manager.audit import teller


@pytest.fixture
def to_this_machine(settings: LazySettings) -> None:
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = True


@pytest.fixture
def webhook_teller(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in every process of ours."""
    monkeypatch.setattr(teller, "_teller", "workspace_manager.webhooks.outbox.tell")


@pytest.fixture
def receiver(to_this_machine: None, webhook_teller: None) -> Iterator[Receiver]:
    with receiving() as found:
        yield found
