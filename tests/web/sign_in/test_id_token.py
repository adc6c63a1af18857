"""An ID token counts once, for this client, from this issuer, while it is good; anything else signs
nobody in.
"""

import time
import uuid
from typing import Any

import pytest
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.core.cache import cache
from django.test import RequestFactory

from tests.access.sign_in_setup import MANAGER
from tests.web.sign_in.conftest import Signing
from workspace_manager.web.sign_in import id_token
from workspace_manager.web.sign_in.provider import PROVIDER_ID, Adapter
from workspace_manager.web.sign_in.signatures import Wrong
from workspace_manager.wiring import connected_systems
from workspace_sandbox.stand_ins.identity_provider import keys


@pytest.fixture(autouse=True)
def nothing_is_remembered(db: None) -> None:
    cache.clear()


def sign_token(signing: Signing, *, kind: str = "JWT", **changed: Any) -> str:
    """One that is good, with members changed; None leaves one out."""
    now = int(time.time())
    said = {
        "exp": now + 60, "iat": now, "jti": str(uuid.uuid4()), "sub": "s", "azp": MANAGER,
        "iss": f"{signing.wire.base}/realms/{signing.wire.realm}", "aud": MANAGER,
    }  # fmt: skip
    realm = signing.stand_in.store.realm(signing.wire.realm)
    assert realm
    kept = {name: value for name, value in {**said, **changed}.items() if value is not None}
    return keys.sign(realm.keys, kept, kind=kind)


def read_claims(token: str) -> dict[str, Any]:
    return id_token.claims_of(token, MANAGER, connected_systems())


def test_a_good_one_counts_once(signing: Signing) -> None:
    token = sign_token(signing)
    assert read_claims(token)["sub"] == "s"
    with pytest.raises(Wrong, match="before"):
        read_claims(token)


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": "https://drive.example"},
        {"aud": None},
        {"aud": [MANAGER, "other"], "azp": "other"},
        {"iss": "https://evil.example/realms/workspace"},
        {"iss": None},
        {"exp": None},
        {"exp": 1_000_000_000},
        {"exp": "soon"},
        {"iat": 9_000_000_000},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"kind": "logout+jwt"},
    ],
)
def test_anything_wrong_is_refused(signing: Signing, changed: dict[str, Any]) -> None:
    with pytest.raises(Wrong):
        read_claims(sign_token(signing, **changed))


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "." * 20_000])
def test_what_is_no_token_is_refused(signing: Signing, token: str) -> None:
    with pytest.raises(Wrong):
        read_claims(token)


def test_one_that_somebody_else_signed_is_refused(signing: Signing) -> None:
    token = sign_token(signing)
    head, body, signature = token.split(".")
    other = sign_token(signing, sub="t").split(".")
    for forged in (f"{head}.{other[1]}.{signature}", f"{head}.{body}.", f"{head}.{body}.AAAA"):
        with pytest.raises(Wrong):
            read_claims(forged)


@pytest.mark.parametrize(
    "answer",
    [[], "x", {}, {"access_token": 7}, {"access_token": ["a"]}, {"access_token": None}],
)
def test_an_answer_without_tokens_is_refused(answer: Any) -> None:
    with pytest.raises(OAuth2Error):
        Adapter(RequestFactory().get("/"), PROVIDER_ID).parse_token(answer)


@pytest.mark.parametrize(
    "seconds", ["soon", -1, 10**30, 1e300, float("inf"), float("nan"), [], None, True]
)
def test_an_odd_end_of_a_token_is_none(seconds: Any) -> None:
    answer = {"access_token": "a", "refresh_token": ["r"], "expires_in": seconds}
    token = Adapter(RequestFactory().get("/"), PROVIDER_ID).parse_token(answer)
    assert (token.token, token.token_secret) == ("a", "")
    assert token.expires_at is None
