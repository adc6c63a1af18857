"""A person who was disabled, signed out or deleted at the identity provider is out here too,
minutes later at most; and what happens while it does not answer.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.pinned_settings import pin
from tests.visitors import Visitor
from tests.web.sign_in.conftest import Signing, minutes_pass
from workspace_manager.access import provider_state, session_check, sessions
from workspace_manager.access.session_store import SessionStore
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import AuditEntry, Person, ProviderState, Session, SignIn
from workspace_manager.systems.identity_provider.client.session import SessionClient

DOWN = {"url": "http://127.0.0.1:9"}


@pytest.fixture(autouse=True)
def nothing_is_remembered(db: None) -> None:
    cache.clear()


def test_who_was_disabled_there_is_out_after_five_minutes(signing: Signing) -> None:
    """Keycloak sends nothing when a user is disabled: it has to be asked."""
    visitor = signing.visitor()
    signing.disable()
    assert visitor.get("/components").status_code == 200, "asked at most every five minutes"
    minutes_pass(5.1)
    answer = visitor.get("/components?page=2")
    assert answer.status_code == 302
    assert answer["Location"] == "/sign-in?next=%2Fcomponents%3Fpage%3D2&ended=1"
    page = visitor.get(answer["Location"]).content.decode()
    assert "Your session has ended" in page
    assert "your account was disabled" in page
    assert "/sign-in?next=%2Fcomponents%3Fpage%3D2" in page
    assert not SignIn.objects.exists()
    assert AuditEntry.objects.filter(event="sign_in:ended", subject="gina").count() == 1


def test_a_program_with_that_session_gets_401_with_words(signing: Signing) -> None:
    visitor = signing.visitor()
    signing.disable()
    minutes_pass(5.1)
    answer = visitor.ask("GET", "/me")
    assert answer.status_code == 401
    assert "session at the identity provider has ended" in answer.json()["detail"]
    assert visitor.ask("GET", "/me").json()["detail"].startswith("Sign in, or send")


def test_a_session_that_ended_there_ends_here(signing: Signing) -> None:
    visitor, other = signing.visitor(), signing.visitor("hugo")
    signing.wire.admin("POST", f"users/{signing.sub()}/logout")
    minutes_pass(5.1)
    assert visitor.get("/components").status_code == 302
    assert other.get("/components").status_code == 200


def test_who_goes_on_is_asked_for_once_in_five_minutes(signing: Signing) -> None:
    visitor = signing.visitor()
    for _ in range(3):
        minutes_pass(5.1)
        before = signing.calls("/token")
        for _ in range(5):
            assert visitor.get("/components").status_code == 200
        assert signing.calls("/token") == before + 1


def test_a_page_costs_one_statement_more(signing: Signing) -> None:
    visitor = signing.visitor()
    visitor.get("/components")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        visitor.get("/components")
    ours = [q["sql"] for q in asked if "signin" in q["sql"] or "standing" in q["sql"]]
    assert len(ours) == 1, ours


def test_the_tokens_are_in_no_cookie_and_no_session_and_encrypted(signing: Signing) -> None:
    visitor = signing.visitor()
    row = SignIn.objects.get()
    kept = session_check.tokens_of(str(row.id), row.person_id)
    assert kept
    assert kept.refresh
    session = SessionStore().decode(Session.objects.get().session_data)
    with connection.cursor() as cursor:
        cursor.execute("SELECT access_token, refresh_token, id_token FROM records_signin")
        stored = b"".join(bytes(value) for value in cursor.fetchone())
    for secret in (one.reveal() for one in (kept.refresh, kept.access, kept.id) if one):
        assert secret not in str(session)
        assert secret not in str(visitor.cookies)
        assert secret.encode() not in stored


def test_signing_out_and_signing_in_again_leave_no_tokens_behind(signing: Signing) -> None:
    visitor = signing.visitor()
    first = SignIn.objects.get().id
    visitor.post("/sign-out")
    assert not SignIn.objects.exists()
    signing.sign_in(visitor, "gina")
    assert SignIn.objects.get().id != first


def test_a_session_of_twelve_hours_is_over_whatever_was_done(signing: Signing) -> None:
    visitor = signing.visitor()
    SignIn.objects.update(begun_at=timezone.now() - timedelta(hours=12, minutes=1))
    assert visitor.get("/components").status_code == 302
    sessions.forget_old()
    assert not SignIn.objects.exists()


def asked_by_another(row: SignIn, *, ends_in_s: float = 20) -> None:
    """Another window has begun to refresh."""
    until = timezone.now() + timedelta(seconds=ends_in_s)
    SignIn.objects.filter(id=row.id).update(asking_until=until)


def test_two_windows_at_once_do_not_end_the_session(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The realm revokes refresh tokens: a second refresh with the same one would end it."""
    visitor = signing.visitor()
    minutes_pass(5.1)
    before = signing.calls("/token")
    second: list[int] = []
    refresh = SessionClient.refresh

    def while_it_is_sent(client: SessionClient, token: Secret) -> Any:
        if not second:
            second.append(visitor.get("/components").status_code)
        return refresh(client, token)

    monkeypatch.setattr(session_check, "WAIT_S", 0)
    monkeypatch.setattr(SessionClient, "refresh", while_it_is_sent)
    assert visitor.get("/components").status_code == 200
    assert second == [200], "reading goes on"
    assert signing.calls("/token") == before + 1
    minutes_pass(5.1)
    assert visitor.get("/components").status_code == 200


def test_the_second_window_waits_and_takes_what_the_first_was_given(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = signing.visitor()
    row = SignIn.objects.get()
    minutes_pass(20)
    asked_by_another(row)

    def meanwhile(_seconds: float) -> None:
        SignIn.objects.update(answered_at=timezone.now(), asking_until=None)

    monkeypatch.setattr("time.sleep", meanwhile)
    before = signing.calls("/token")
    assert visitor.ask("POST", "/projects", {"label": "fresh"}).status_code == 201
    assert signing.calls("/token") == before


@pytest.mark.parametrize("ends_in_s", [-1, 3600], ids=["it died", "the clock was turned back"])
def test_one_that_died_while_it_asked_holds_up_nobody(signing: Signing, ends_in_s: float) -> None:
    visitor = signing.visitor()
    minutes_pass(20)
    asked_by_another(SignIn.objects.get(), ends_in_s=ends_in_s)
    assert visitor.get("/components").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_who_was_removed_during_the_sign_in_is_told_so(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    signing.visitor()
    begin = session_check.begin

    def removed_first(person: Person, **values: Any) -> str:
        Person.objects.all().delete()
        return begin(person, **values)

    monkeypatch.setattr(session_check, "begin", removed_first)
    answer = signing.sign_in(Visitor(), "gina")
    assert answer.status_code == 403
    assert "cannot sign in here" in answer.content.decode()


# --- the identity provider is down ----------------------------------------------------------------


def test_reading_goes_on_for_fifteen_minutes_and_writing_stops(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = signing.visitor()
    pin(monkeypatch, "identity_provider", DOWN)
    assert visitor.ask("POST", "/projects", {"label": "fresh"}).status_code == 201
    minutes_pass(6)
    assert visitor.get("/components").status_code == 200
    refused = visitor.ask("POST", "/projects", {"label": "later"})
    assert refused.status_code == 503
    assert int(refused["Retry-After"]) > 0
    assert "you can read but not change anything" in refused.json()["detail"]
    page = visitor.post("/projects/new", {"label": "later"})
    assert page.status_code == 503
    assert int(page["Retry-After"]) > 0
    assert "you can read but not change anything" in page.content.decode()
    minutes_pass(15.1)
    assert visitor.get("/components").status_code == 503
    assert visitor.ask("GET", "/me").status_code == 503
    assert visitor.post("/sign-out").status_code == 200, "going out is always possible"


def test_it_goes_on_where_it_was_once_it_answers_again(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = signing.visitor()
    with monkeypatch.context() as away:
        pin(away, "identity_provider", DOWN)
        minutes_pass(20)
        assert visitor.get("/components").status_code == 503
    cache.clear()
    assert visitor.get("/components").status_code == 200


def test_one_that_is_silent_is_not_asked_by_every_page(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = signing.visitor()
    signing.fault("/protocol/openid-connect/token", "status", status=503)
    minutes_pass(6)
    before = signing.calls("/token")
    for _ in range(5):
        assert visitor.get("/components").status_code == 200
    assert signing.calls("/token") == before + 1


@pytest.mark.parametrize("wrong", [{"client_secret": "another"}, {"client_id": "another"}])
def test_our_own_client_refused_ends_nobodys_session(
    signing: Signing, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str]
) -> None:
    visitor = signing.visitor()
    pin(monkeypatch, "identity_provider", wrong)
    minutes_pass(6)
    assert visitor.get("/components").status_code == 200
    assert SignIn.objects.exists()


# --- API tokens -----------------------------------------------------------------------------------


def test_a_token_of_who_is_disabled_there_opens_nothing_after_five_minutes(
    signing: Signing,
) -> None:
    signing.visitor()
    program = signing.api()
    assert program.ask("GET", "/me").status_code == 200
    signing.disable()
    assert program.ask("GET", "/me").status_code == 200
    minutes_pass(5.1)
    refused = program.ask("GET", "/me")
    assert refused.status_code == 401
    assert (
        "This token does not work now because its owner cannot sign in at the identity provider."
    ) in refused.json()["detail"]
    assert ProviderState.objects.get().state == "disabled"
    signing.enable()
    minutes_pass(1.1)
    assert program.ask("GET", "/me").status_code == 200


def test_a_token_of_who_is_deleted_there_opens_nothing(signing: Signing) -> None:
    signing.visitor()
    program = signing.api()
    signing.wire.admin("DELETE", f"users/{signing.sub()}")
    minutes_pass(5.1)
    assert program.ask("GET", "/me").status_code == 401
    assert ProviderState.objects.get().state == "gone"
    assert Person.objects.get(username="gina").state == "active", "triggers nothing by itself"


def test_tokens_share_one_answer(signing: Signing) -> None:
    signing.visitor()
    programs = [signing.api(), signing.api()]
    minutes_pass(5.1)
    before = signing.calls("/users/")
    for program in programs * 3:
        assert program.ask("GET", "/me").status_code == 200
    assert signing.calls("/users/") == before + 1


def test_tokens_while_it_is_down(signing: Signing, monkeypatch: pytest.MonkeyPatch) -> None:
    signing.visitor()
    program = signing.api()
    pin(monkeypatch, "identity_provider", DOWN)
    minutes_pass(6)
    assert program.ask("GET", "/me").status_code == 200
    refused = program.ask("POST", "/projects", {"label": "later"})
    assert refused.status_code == 503
    assert int(refused["Retry-After"]) > 0
    minutes_pass(15.1)
    assert program.ask("GET", "/me").status_code == 503


def test_what_is_used_up_by_reading_is_no_reading(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    signing.visitor()
    program = signing.api()
    pin(monkeypatch, "identity_provider", DOWN)
    minutes_pass(6)
    key = "00000000-0000-4000-8000-000000000000"
    assert program.ask("GET", f"/service-keys/{key}/reveal").status_code == 503


# --- other ways in --------------------------------------------------------------------------------


def test_a_session_without_tokens_is_asked_for_by_sub(signing: Signing) -> None:
    """Of an earlier version, or of a realm that gives no refresh tokens."""
    visitor = signing.visitor()
    session = visitor.session
    del session["sign_in"]
    session.save()
    assert visitor.get("/components").status_code == 200
    signing.disable()
    minutes_pass(5.1)
    assert visitor.get("/components").status_code == 302


def test_a_realm_without_refresh_tokens(signing: Signing) -> None:
    visitor = signing.visitor()
    SignIn.objects.update(refresh_token=None)
    minutes_pass(5.1)
    assert visitor.get("/components").status_code == 200
    signing.disable()
    minutes_pass(5.1)
    assert visitor.get("/components").status_code == 302


def test_the_emergency_door_is_open_while_it_is_down_and_shut_to_who_was_disabled(
    signing: Signing, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.EMERGENCY_SIGN_IN = True
    signing.visitor()
    Person.objects.update(role="administrator")
    token = signing.api().defaults["HTTP_AUTHORIZATION"].removeprefix("Bearer ")
    pin(monkeypatch, "identity_provider", DOWN)
    minutes_pass(60)
    inside = Visitor()
    assert inside.post("/emergency/", {"token": token}).status_code == 302
    assert inside.get("/manage/people").status_code == 200
    ProviderState.objects.update(state="disabled")
    assert inside.get("/manage/people").status_code == 302
    assert Visitor().post("/emergency/", {"token": token}).status_code == 403


def test_nobody_is_asked_for_where_there_is_no_identity_provider(
    visitor_for: Callable[[Person], Visitor], alice: Person
) -> None:
    provider_state.note("nobody", "enabled")
    assert visitor_for(alice).get("/components").status_code == 200
