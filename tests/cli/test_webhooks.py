"""`webhooks`: made, listed, rotated, sent again and deleted."""

import json

import pytest
from click.testing import CliRunner, Result

from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import WebhookDelivery, WebhookEndpoint

pytestmark = pytest.mark.django_db
ADD = ("add", "https://x.example.org", "--label", "Tools", "--event", "registration.*")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("webhooks", *arguments))


def test_a_webhook_from_beginning_to_end() -> None:
    assert "There is no webhook." in run("list").output
    refused = run("add", "http://tools.example.org", "--label", "Tools")
    assert refused.exit_code != 0
    assert "Use https." in refused.output
    made = json.loads(run(*ADD, "--json").output)
    assert made["secret"].startswith("whsec_")
    (row,) = json.loads(run("list", "--json").output)["items"]
    assert row == {name: value for name, value in made.items() if name != "secret"}
    assert "whsec_" in run("rotate", row["id"]).output
    hook = WebhookEndpoint.objects.get()
    delivery = WebhookDelivery.objects.create(
        endpoint=hook, type="webhook.test", body="{}", state="failed"
    )
    told = json.loads(run("deliveries", row["id"], "--state", "failed", "--json").output)
    assert [one["id"] for one in told["items"]] == [str(delivery.id)]
    assert run("redeliver", row["id"], str(delivery.id)).exit_code == 0
    delivery.refresh_from_db()
    assert delivery.state == "waiting"
    assert run("test", row["id"]).exit_code == 0
    assert hook.deliveries.filter(state="waiting", type="webhook.test").count() == 2
    assert run("disable", row["id"]).exit_code == 0
    hook.refresh_from_db()
    assert hook.disabled == "person"
    assert "Switch it on" in run("test", row["id"]).output
    assert run("enable", row["id"]).exit_code == 0
    hook.refresh_from_db()
    assert hook.disabled == ""
    assert run("remove", row["id"]).exit_code == 0
    assert not WebhookEndpoint.objects.exists()
