"""The identity provider says that somebody signed out (OpenID Connect Back-Channel Logout 1.0)."""

import time
from typing import Any

import pytest
from django.core.cache import cache
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from tests.access import headers
from tests.pinned_settings import pin
from tests.visitors import Visitor
from tests.web.sign_in.conftest import EVENT, Signing, claims, minutes_pass
from workspace_manager.records.models import SignIn
from workspace_manager.systems.identity_provider.realm.services import BACKCHANNEL_LOGOUT_PATH
from workspace_manager.web.sign_in import logout_token


@pytest.fixture(autouse=True)
def nothing_is_remembered(db: None) -> None:
    cache.clear()


def test_it_ends_every_session_of_the_person_and_nobody_elses(signing: Signing) -> None:
    first, second, other = signing.visitor(), signing.visitor(), signing.visitor("hugo")
    answer = signing.told(signing.logout_token())
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert headers.wrong(answer) == []
    for visitor in (first, second):
        assert visitor.get("/components").status_code == 302
        assert visitor.ask("GET", "/me").status_code == 401
    assert other.get("/components").status_code == 200


def test_it_ends_the_one_session_it_names(signing: Signing) -> None:
    first, second = signing.visitor(), signing.visitor()
    sid = SignIn.objects.order_by("begun_at")[0].sid
    assert sid
    assert signing.told(signing.logout_token(sid=sid)).status_code == 200
    assert first.get("/components").status_code == 302
    assert second.get("/components").status_code == 200
    assert signing.told(signing.logout_token(sid=sid, sub=None)).status_code == 200


def test_what_is_not_here_is_ended_too(signing: Signing) -> None:
    assert signing.told(signing.logout_token(sub="somebody-else")).status_code == 200


def test_a_token_of_the_api_is_asked_about_at_once_afterwards(signing: Signing) -> None:
    """Disabled and signed out: nobody waits five minutes."""
    signing.visitor()
    program = signing.api()
    signing.disable()
    signing.told(signing.logout_token())
    assert program.ask("GET", "/me").status_code == 401


WRONG: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "https://evil.example/realms/workspace"},
    "no issuer": {"iss": None},
    "another audience": {"aud": "https://drive.example"},
    "others' audience": {"aud": ["a", "b"]},
    "no audience": {"aud": None},
    "no event": {"events": None},
    "another event": {"events": {"http://schemas.example/other": {}}},
    "an event that is none": {"events": {EVENT: "yes"}},
    "events that are none": {"events": [EVENT]},
    "a nonce": {"nonce": "n"},
    "no id": {"jti": None},
    "an id that is none": {"jti": 7},
    "no time": {"iat": None},
    "long ago": {"iat": int(time.time()) - 3600},
    "of the future": {"iat": int(time.time()) + 3600},
    "a time that is none": {"iat": "now"},
    "expired": {"exp": int(time.time()) - 60},
    "nobody": {"sub": None},
    "a name that is none": {"sub": ["a"]},
    "an id token": {"kind": "ID", "events": None, "nonce": "n"},
    "an access token's type": {"kind": "at+jwt"},
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("what", WRONG)
def test_anything_wrong_is_400_and_ends_nothing(signing: Signing, what: str) -> None:
    visitor = signing.visitor()
    answer = signing.told(signing.logout_token(**WRONG[what]))
    assert (answer.status_code, answer["Cache-Control"]) == (400, "no-store")
    assert answer.json() == {"error": "invalid_request"}
    assert visitor.get("/components").status_code == 200


@pytest.mark.parametrize("text", ["", "x", "a.b.c", "e30.e30.", "ü.ü.ü", "a" * 20_000, "....."])
def test_what_is_no_token_is_400(signing: Signing, text: str) -> None:
    assert signing.told(text).status_code == 400


def test_what_somebody_else_signed_is_400(signing: Signing) -> None:
    visitor = signing.visitor()
    good = signing.logout_token()
    header, body, _ = good.split(".")
    says, kid = claims(good), claims(f"x.{header}")["kid"]
    mine = RSAKey.generate_key(2048)
    forged = jwt.encode({"alg": "RS256", "typ": "logout+jwt", "kid": kid}, says, mine)
    unknown = jwt.encode({"alg": "RS256", "typ": "logout+jwt", "kid": "mine"}, says, mine)
    shared = jwt.encode(
        {"alg": "HS256", "typ": "logout+jwt", "kid": kid},
        says,
        OctKey.import_key("manager-secret-manager-secret-ok"),
    )
    for token in (forged, unknown, shared, f"{header}.{body}.", f"{header}.{body}.AAAA"):
        assert signing.told(token).status_code == 400
    assert visitor.get("/components").status_code == 200
    assert signing.told(good).status_code == 200


def test_the_same_one_twice_is_400(signing: Signing) -> None:
    token = signing.logout_token()
    assert signing.told(token).status_code == 200
    visitor = signing.visitor()
    assert signing.told(token).status_code == 400
    assert visitor.get("/components").status_code == 200


def test_whoever_keeps_on_is_slowed_and_holds_up_nothing_that_is_right(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logout_token, "WRONG_AN_HOUR", 3)
    assert [signing.told("x").status_code for _ in range(5)] == [400, 400, 400, 429, 429]
    assert int(signing.told("x")["Retry-After"]) > 0
    assert signing.told(signing.logout_token()).status_code == 200


def test_made_up_keys_make_us_ask_no_oftener(signing: Signing) -> None:
    signing.told(signing.logout_token())
    before = signing.calls("/certs")
    mine = RSAKey.generate_key(2048)
    for n in range(5):
        token = jwt.encode({"alg": "RS256", "kid": f"k{n}"}, {"sub": "x"}, mine)
        assert signing.told(token).status_code == 400
    assert signing.calls("/certs") <= before + 1


def test_it_is_503_where_the_keys_cannot_be_read(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = signing.logout_token()
    pin(monkeypatch, "identity_provider", {"url": "http://127.0.0.1:9"})
    answer = signing.told(token)
    assert (answer.status_code, answer["Cache-Control"]) == (503, "no-store")
    assert int(answer["Retry-After"]) > 0


def test_only_a_post_is_heard(signing: Signing) -> None:
    assert Visitor().get(BACKCHANNEL_LOGOUT_PATH).status_code == 405


def test_it_is_heard_while_nobody_is_let_in(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent by a browser with a session of its own, of which nothing is known for long."""
    visitor = signing.visitor()
    token = signing.logout_token()
    minutes_pass(60)
    signing.fault("/token$", "status", status=503)
    assert visitor.post(BACKCHANNEL_LOGOUT_PATH, {"logout_token": token}).status_code == 200
