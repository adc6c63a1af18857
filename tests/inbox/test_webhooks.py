"""Items of administrators about webhooks."""

import pytest
from django.utils import timezone

from tests.inbox.reading import the_one, waits
from workspace_manager.records.models import Person, WebhookEndpoint
from workspace_manager.webhooks import endpoints

pytestmark = pytest.mark.django_db


def test_a_webhook_that_was_switched_off_by_itself_waits_until_it_is_on(ada: Person) -> None:
    endpoint, _ = endpoints.make("https://a.test/", label="Tools", events=["*"], actor="ada")
    endpoints.change(endpoint.id, actor="ada", enabled=False)
    assert not waits(ada, "webhook_off"), "somebody said so"
    now = timezone.now()
    WebhookEndpoint.objects.update(disabled="failing", disabled_at=now)
    item = the_one(ada, "webhook_off")
    assert item.since == now
    assert item.why
    assert "Tools" in item.what.english
    assert "three days" in item.why.english
    assert item.action.address == f"/manage/webhooks/{endpoint.id}"
    endpoints.change(endpoint.id, actor="ada", enabled=True)
    assert not waits(ada, "webhook_off")
