"""Webhooks on their page, and the letters somebody chooses and got."""

import re

from django.test import Client

from workspace_manager.records.models import (
    Mail,
    NoticeChoice,
    Person,
    WebhookDelivery,
    WebhookEndpoint,
)

HOOK = {"label": "Tools", "url": "https://tools.example.org/hook", "events": "registration.* *"}


def test_a_webhook_shows_its_secret_once(as_ada: Client) -> None:
    refused = as_ada.post("/manage/webhooks", {**HOOK, "url": "http://tools.example.org"})
    assert refused.status_code == 422
    assert "Use https." in refused.content.decode()
    page = as_ada.post("/manage/webhooks", HOOK).content.decode()
    found = re.search(r'value="(whsec_[^"]+)"', page)
    assert found
    hook = WebhookEndpoint.objects.get()
    assert hook.events == ["*", "registration.*"]
    assert found[1] not in as_ada.get(f"/manage/webhooks/{hook.id}").content.decode()
    again = as_ada.post(f"/manage/webhooks/{hook.id}/rotate").content.decode()
    assert found[1] not in again
    assert "whsec_" in again


def test_what_was_not_taken_is_sent_again(as_ada: Client) -> None:
    as_ada.post("/manage/webhooks", HOOK)
    hook = WebhookEndpoint.objects.get()
    assert (
        "on its way"
        in as_ada.post(f"/manage/webhooks/{hook.id}/test", follow=True).content.decode()
    )
    row = WebhookDelivery.objects.get()
    WebhookDelivery.objects.update(state="failed", ended_at="2030-01-01T00:00Z", status=500)
    assert "given up" in as_ada.get(f"/manage/webhooks/{hook.id}").content.decode()
    as_ada.post(f"/manage/webhooks/{hook.id}/deliveries/{row.id}/redeliver")
    assert WebhookDelivery.objects.get().state == "waiting"
    as_ada.post(f"/manage/webhooks/{hook.id}/switch")
    assert "switched off" in as_ada.get("/manage/webhooks").content.decode()
    as_ada.post(f"/manage/webhooks/{hook.id}/delete")
    assert not WebhookEndpoint.objects.exists()


def test_everybody_chooses_their_letters(as_anna: Client, anna: Person) -> None:
    page = as_anna.get("/settings").content.decode()
    names = re.findall(r'name="(notice-[a-z_]+)"', page)
    assert "notice-invitation" in names
    assert "notice-system_down" not in names
    typed = {**dict.fromkeys(names, "daily"), "notice-invitation": "never"}
    assert "Saved." in as_anna.post("/settings/notices", typed, follow=True).content.decode()
    chosen = NoticeChoice.objects.filter(person=anna)
    assert dict(chosen.values_list("kind", "how"))["invitation"] == "never"
    assert as_anna.post("/settings/notices", {}).status_code == 422


def test_the_letters_somebody_got(as_ada: Client, anna: Person) -> None:
    Mail.objects.create(
        to=anna.email, person=anna, subject=("The drive does not answer."), trouble="slow"
    )
    page = as_ada.get("/manage/people/anna/letters").content.decode()
    assert "The drive does not answer." in page
    assert "did not answer in time" in page
    assert "/manage/people/anna/letters" in as_ada.get("/manage/people/anna").content.decode()
