"""Letters over REST: every one in both languages, and the outbox."""

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.letters import emails, mail_outbox
from workspace_manager.records.models import Mail


def test_every_letter_in_every_language(as_administrator: Visitor) -> None:
    answer = as_administrator.ask("GET", "/letters").json()
    assert answer["count"] == len(answer["items"]) == 2 * len(emails.LETTERS)
    for item in answer["items"]:
        where = f"/letters/{item['name']}?language={item['language']}"
        assert as_administrator.ask("GET", where).json() == item
        assert item["subject"]
        unnamed = {"confirm_email", "removal_finished", "by_administrator"}
        assert "carla" in item["text"].casefold() or item["name"] in unnamed
        assert item["html"].startswith("<!doctype html>")
    problem(as_administrator.ask("GET", "/letters/nonsense"), 404)
    problem(as_administrator.ask("GET", "/letters/approved?language=fr"), 422)


def test_the_outbox_says_what_waits_and_why(as_administrator: Visitor) -> None:
    empty = as_administrator.ask("GET", "/letters/outbox").json()
    assert (empty["waiting"], empty["trouble"], empty["next_try_at"]) == (0, None, None)
    Mail.objects.create(
        to="a@example.org", subject="s", attempts=3, trouble=mail_outbox.MailFailure.SLOW
    )
    full = as_administrator.ask("GET", "/letters/outbox")
    assert full.json()["waiting"] == 1
    said = "The mail server did not answer in time."
    assert (full.json()["attempts"], full.json()["trouble"]) == (3, said)
    assert full.json()["trouble_message"] == {"code": "core.slow", "params": {}}
    assert "a@example.org" not in full.content.decode()
