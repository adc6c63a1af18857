"""A sign-in that was begun is kept in the browser alone, where nobody reads or changes it; and the
identity provider is asked about itself once.
"""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.access.sign_in_setup import CALLBACK, MANAGER, read_query
from tests.visitors import Visitor
from tests.web.sign_in.conftest import Signing
from workspace_manager.records.models import Session, SignIn
from workspace_manager.systems.identity_provider.client import metadata
from workspace_sandbox.stand_ins.identity_provider import keys


@pytest.fixture(autouse=True)
def nothing_is_remembered(db: None) -> None:
    cache.clear()


def test_forty_who_only_ask_leave_nothing_behind(signing: Signing) -> None:
    for _ in range(40):
        signing.start(Visitor())
    assert not Session.objects.exists()
    assert not SignIn.objects.exists()


def test_the_identity_provider_is_asked_about_itself_once(signing: Signing) -> None:
    for _ in range(5):
        signing.start(Visitor())
    for name in ("gina", "hugo", "gina"):
        signing.visitor(name)
    assert signing.calls("/.well-known/openid-configuration") == 1
    assert signing.calls("/certs") == 1


def test_keys_that_were_exchanged_are_read_again_and_those_made_up_are_not(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "AGAIN_S", 1000.0)
    signing.visitor()
    realm = signing.stand_in.store.realm(signing.wire.realm)
    assert realm
    realm.data["keys"] = realm.keys = keys.new_keys(signing.wire.realm, 3)
    assert signing.sign_in(Visitor(), "hugo").status_code == 401, "they were read just now"
    monkeypatch.setattr(metadata, "AGAIN_S", 0.0)
    signing.visitor("hugo")
    assert signing.calls("/certs") == 2
    monkeypatch.setattr(metadata, "AGAIN_S", 1000.0)
    for _ in range(5):
        signing.visitor("hugo")
        assert signing.told(made_up()).status_code == 400
    assert signing.calls("/certs") == 2


def made_up() -> str:
    key = RSAKey.generate_key(2048, parameters={"kid": "made-up"})
    return jwt.encode({"alg": "RS256", "kid": "made-up"}, {"sub": "x"}, key)


def cookies_of(client: Client) -> dict[str, Any]:
    return {name: one for name, one in client.cookies.items() if "sign_in" in name and one.value}


def test_it_is_in_a_cookie_that_tells_nothing_and_lasts_minutes(
    signing: Signing, settings: LazySettings
) -> None:
    client = Visitor()
    query = read_query(signing.start(client, "/components?page=2"))
    [(name, cookie)] = cookies_of(client).items()
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert 0 < int(cookie["max-age"]) <= 600
    assert len(cookie.value) < 2000
    for told in (query["nonce"], query["state"], "components"):
        assert told not in cookie.value
    signing.sign_in(client, "gina")
    assert name not in cookies_of(Visitor())


def test_behind_https_no_neighbour_can_plant_one(signing: Signing, settings: LazySettings) -> None:
    settings.HTTPS = True
    client = Visitor()
    signing.start(client)
    [(name, cookie)] = cookies_of(client).items()
    assert name.startswith("__Host-")
    assert cookie["secure"]
    assert (cookie["path"], cookie["domain"]) == ("/", "")


def test_two_windows_sign_in_each_for_itself(signing: Signing) -> None:
    client = Visitor()
    first = signing.start(client, "/components?first=1")
    second = signing.start(client, "/components?second=1")
    back = [signing.fill_in(one, "gina") for one in (first, second)]
    assert client.get(back[1])["Location"] == "/components?second=1"
    assert client.get(back[0])["Location"] == "/components?first=1"
    assert client.get("/components").status_code == 200
    assert cookies_of(client) == {}


def test_one_that_ended_is_not_taken_again(signing: Signing) -> None:
    client = Visitor()
    back = signing.fill_in(signing.start(client), "gina")
    assert client.get(back).status_code == 302
    assert client.get(back).status_code == 401


def test_one_of_somebody_else_or_changed_or_old_signs_nobody_in(
    signing: Signing, monkeypatch: pytest.MonkeyPatch
) -> None:
    attacker, client = Visitor(), Visitor()
    back = signing.fill_in(signing.start(attacker), "gina")
    signing.start(client)
    [(theirs, cookie)] = cookies_of(attacker).items()
    [(_, own)] = cookies_of(client).items()
    for value in (own.value, cookie.value[:-2] + "AA", "x", ""):
        victim = Visitor()
        victim.cookies[theirs] = value
        assert victim.get(back).status_code == 401
        assert victim.get("/components").status_code == 302
    late = Visitor()
    late.cookies[theirs] = cookie.value
    monkeypatch.setattr("workspace_manager.web.sign_in.pending_sign_ins.LASTS_S", -1)
    assert late.get(back).status_code == 401


@pytest.mark.parametrize("after", ["/components?page=2", "/people?" + "0a9Z" * 240])
def test_a_browser_keeps_no_more_than_a_proxy_takes_and_the_oldest_go(
    signing: Signing, after: str
) -> None:
    client = Visitor()
    addresses = []
    for _ in range(12):
        addresses.append(signing.start(client, after))
        sent = "; ".join(f"{name}={one.value}" for name, one in cookies_of(client).items())
        assert len(sent) <= 4096
    kept = [f"sign_in_{read_query(one)['state']}" in cookies_of(client) for one in addresses]
    assert kept == sorted(kept), "the oldest go"
    assert sum(kept) >= 2
    assert client.get(signing.fill_in(addresses[0], "gina")).status_code == 401
    assert client.get(signing.fill_in(addresses[-1], "gina")).status_code == 302


def test_seven_windows_are_kept(signing: Signing) -> None:
    client = Visitor()
    addresses = [signing.start(client, f"/components?page={one}") for one in range(7)]
    assert client.get(signing.fill_in(addresses[0], "gina")).status_code == 302


def test_what_is_not_ours_goes_before_what_is(signing: Signing) -> None:
    client = Visitor()
    first = signing.start(client)
    client.cookies["sign_in_" + "x" * 16] = "y" * 3500
    signing.start(client)
    assert len(cookies_of(client)) == 2
    assert client.get(signing.fill_in(first, "gina")).status_code == 302


def test_an_address_that_is_too_long_to_keep_is_not_kept(signing: Signing) -> None:
    client = Visitor()
    signing.start(client, "/components?" + urlencode({"x": "y" * 4000}))
    assert all(len(one.value) < 3500 for one in cookies_of(client).values())
    assert signing.sign_in(client, "gina", "/x?" + "y" * 4000)["Location"] in {"/", "/start"}


@pytest.mark.parametrize("host", ["testserver", "localhost"])
def test_people_come_back_to_the_configured_address_whatever_the_browser_called_us(
    signing: Signing, settings: LazySettings, host: str
) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "localhost"]
    way = Client(headers={"host": host}).get("/sign-in")["Location"]
    assert read_query(way)["redirect_uri"] == MANAGER + CALLBACK
