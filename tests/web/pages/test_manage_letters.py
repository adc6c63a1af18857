"""Every letter can be looked at in both languages and forms; the outbox says what waits and why."""

import socket
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core import mail
from django.test import Client
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.contract.message import quote_words
from workspace_manager.letters import emails, mail_outbox
from workspace_manager.records.models import Mail, Person, Plan, Registration

OUT = quote_words("carl is removed.")


@pytest.mark.parametrize("language", emails.LANGUAGES)
@pytest.mark.parametrize("name", emails.LETTERS)
def test_every_letter_is_shown_in_both_languages_and_forms(
    as_ada: Client, name: str, language: str
) -> None:
    letter = emails.preview(name, language)
    page = as_ada.get(f"/manage/letters/{name}?language={language}")
    text = page.content.decode()
    assert f'<h1 lang="{language}">' in text
    assert letter.subject in text
    assert "sandbox></iframe>" in text
    assert "frame-src 'self'" in page.headers["Content-Security-Policy"]
    html = as_ada.get(f"/manage/letters/{name}/html?language={language}")
    assert html.content.decode() == letter.html
    assert f'lang="{language}"' in letter.html
    assert "sandbox" in html.headers["Content-Security-Policy"]
    assert html.headers["X-Frame-Options"] == "SAMEORIGIN"


def test_a_preview_keeps_nothing(as_ada: Client) -> None:
    as_ada.get("/manage/letters")
    for name in emails.LETTERS:
        as_ada.get(f"/manage/letters/{name}")
    assert not Registration.objects.exists()
    assert not Plan.objects.exists()
    assert not Mail.objects.exists()


def test_there_is_no_other_letter(as_ada: Client) -> None:
    assert as_ada.get("/manage/letters/nonsense").status_code == 404
    assert as_ada.get("/manage/letters/nonsense/html").status_code == 404


@pytest.fixture
def dead_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def test_a_mail_server_that_is_down_delays_letters_and_nothing_else(
    as_ada: Client, settings: LazySettings, dead_port: int
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", dead_port
    rows = [
        scenes.registration(name, f"{name.title()} Berg", age=timedelta(hours=1))
        for name in ("carla", "dora")
    ]
    for row in rows:
        answer = as_ada.post(f"/manage/registrations/{row.id}/reject", {"reason": "No room."})
        assert answer.status_code == 302
        row.refresh_from_db()
        assert (row.status, row.password_hash) == ("rejected", None)
    assert mail_outbox.send_due() == 0
    tried = list(Mail.objects.values_list("attempts", "trouble"))
    assert tried == [(1, mail_outbox.MailFailure.UNREACHABLE), (0, "")], (
        "one letter knocks, the others wait"
    )
    assert mail_outbox.send_due() == 0
    assert Mail.objects.filter(attempts=1).count() == 1
    page = " ".join(as_ada.get("/manage/letters").content.decode().split())
    assert "2 e-mails are waiting." in page
    assert "The mail server cannot be reached." in page
    assert "Approvals and removals do not wait for it" in page

    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Mail.objects.update(next_try_at=timezone.now() - timedelta(seconds=1))
    assert mail_outbox.send_due() == 2
    assert sorted(message.to for message in mail.outbox) == [[row.email] for row in rows]
    assert mail_outbox.outbox() == mail_outbox.Outbox(0)


def test_a_removal_on_the_command_line_is_told_to_every_administrator(ada: Person) -> None:
    scenes.person("otto", "Otto Ruhland", administrator=True, locale="de")
    scenes.person("anna", "Anna Beispiel")
    emails.removal_finished(Plan(person="carl", approved_by="command line (root)"), OUT)
    assert set(Mail.objects.values_list("to", flat=True)) == {
        "ada@example.org",
        "otto@example.org",
    }
    Mail.objects.all().delete()
    emails.removal_finished(Plan(person="carl", approved_by="ada"), OUT)
    assert Mail.objects.get().to == "ada@example.org"
