"""Sign-in at the stand-in, against a small identity provider of the test's own; accounts collide as
in the recordings.
"""

import base64
import json
import time
from collections.abc import Callable, Iterator
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from aiohttp import web
from joserfc import jwt
from joserfc.jwk import RSAKey

from workspace_manager.systems.ontology_editor.names import account_name
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

RSA = RSAKey.generate_key(2048)
SignIn = Callable[..., httpx.Response]


class Issuer(StandIn):
    """An identity provider whose codes are the claims they stand for."""

    name: ClassVar[str] = "issuer"
    product: ClassVar[str] = "issuer"

    def seed(self) -> dict[str, Any]:
        return {}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/.well-known/openid-configuration", self._discovery)
        app.router.add_get("/keys", self._keys)
        app.router.add_post("/token", self._token)

    async def _discovery(self, _request: web.Request) -> web.Response:
        found = {"authorization_endpoint": "/auth", "token_endpoint": "/token", "jwks_uri": "/keys"}
        return web.json_response({"issuer": self.url} | {k: self.url + v for k, v in found.items()})

    async def _keys(self, _request: web.Request) -> web.Response:
        return web.json_response({"keys": [RSA.as_dict(private=False)]})

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.post()
        if form["client_secret"] != "s3cret":
            return web.json_response({"error": "unauthorized_client"}, status=401)
        claims = json.loads(base64.urlsafe_b64decode(str(form["code"])))
        whole = {"iss": self.url, "aud": "webprotege", "exp": int(time.time()) + 60, **claims}
        return web.json_response({"id_token": jwt.encode({"alg": "RS256"}, whole, RSA)})


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    found = Issuer()
    with running(found):
        yield found


@pytest.fixture
def editor(issuer: Issuer) -> Iterator[OntologyEditorStandIn]:
    found = OntologyEditorStandIn(
        issuer_url=issuer.url, client_id="webprotege", client_secret="s3cret"
    )
    with running(found):
        yield found


@pytest.fixture
def sign_in(editor: OntologyEditorStandIn) -> SignIn:
    def sign_in(browser: httpx.Client, *, state: str = "", **claims: Any) -> httpx.Response:
        away = browser.get(f"{editor.url}/webprotege/oidc/login")
        asked = {k: v[0] for k, v in parse_qs(urlsplit(away.headers["location"]).query).items()}
        assert asked["redirect_uri"] == f"{editor.url}/webprotege/oidc/callback"
        whole = {"nonce": asked["nonce"], **claims}
        code = base64.urlsafe_b64encode(json.dumps(whole).encode()).decode()
        query = {"code": code, "state": state or asked["state"]}
        return browser.get(asked["redirect_uri"], params=query)

    return sign_in


def person(name: str, sub: str = "s-1", *, verified: bool = True) -> dict[str, Any]:
    return {
        "sub": sub,
        "preferred_username": name,
        "email": f"{sub}@example.org",
        "email_verified": verified,
    }


def test_a_person_signs_in_and_has_a_session(
    editor: OntologyEditorStandIn, sign_in: SignIn
) -> None:
    with httpx.Client() as browser:
        done = sign_in(browser, **person("Dora.Example"))
        assert (done.status_code, done.headers["location"]) == (302, "/WebProtege.jsp")
        assert editor.state["users"]["dora.example"] == {"email": "s-1@example.org"}
        assert "dora.example" in browser.get(editor.url + "/WebProtege.jsp").text
        assert browser.get(f"{editor.url}/data/projects").json() == []
        body = {"projectOwner": "x", "displayName": "x", "langTag": "en", "description": ""}
        assert browser.post(f"{editor.url}/data/projects", json=body).status_code == 401


def test_an_existing_name_is_taken_over_without_a_look(
    editor: OntologyEditorStandIn, sign_in: SignIn
) -> None:
    with httpx.Client() as browser:
        sign_in(browser, **person(" Admin", "evil"))
        assert "Signed in as admin" in browser.get(editor.url).text
    assert set(editor.state["users"]) == {"admin", "svc-manager"}


def test_a_second_person_without_verified_mail_cannot_get_in(
    editor: OntologyEditorStandIn, sign_in: SignIn
) -> None:
    with httpx.Client() as browser:
        assert sign_in(browser, **person("first", "s-3", verified=False)).status_code == 302
        refused = sign_in(browser, **person("second", "s-4", verified=False))
        assert refused.status_code == 500
        assert "UserEmailAlreadyExistsException" in refused.text
        assert sign_in(browser, **person("second", "s-4")).status_code == 302


def test_a_mail_that_is_taken_gives_another_name(
    editor: OntologyEditorStandIn, sign_in: SignIn
) -> None:
    with httpx.Client() as browser:
        sign_in(browser, **person("one", "s-1"))
        sign_in(browser, **person("two", "s-2") | {"email": "s-1@example.org"})
    assert [name for name in editor.state["users"] if name.startswith("two_")]


def test_the_guest_becomes_a_hash(editor: OntologyEditorStandIn, sign_in: SignIn) -> None:
    with httpx.Client() as browser:
        sign_in(browser, **person("guest", "s-8"))
    assert account_name("guest", "s-8") in editor.state["users"]


@pytest.mark.parametrize(
    "wrong", [{"nonce": "other"}, {"aud": "other"}, {"iss": "http://evil.example.org"}, {"exp": 1}]
)
def test_a_token_that_is_not_ours_is_refused(
    sign_in: SignIn, editor: OntologyEditorStandIn, wrong: dict[str, Any]
) -> None:
    with httpx.Client() as browser:
        done = sign_in(browser, **person("x") | wrong)
        assert done.headers["location"] == "/WebProtege.jsp?oidc_error=token"
        assert "Signed in as" not in browser.get(editor.url).text


def test_a_state_of_another_browser_is_refused(sign_in: SignIn) -> None:
    with httpx.Client() as browser:
        assert (
            sign_in(browser, state="x", **person("x"))
            .headers["location"]
            .endswith("oidc_error=token")
        )


def test_what_the_identity_provider_refused_is_passed_on(
    editor: OntologyEditorStandIn, issuer: Issuer
) -> None:
    callback = f"{editor.url}/webprotege/oidc/callback"
    assert (
        httpx.get(f"{callback}?error=access_denied")
        .headers["location"]
        .endswith("oidc_error=provider")
    )
    assert httpx.get(callback).headers["location"].endswith("oidc_error=missing")
    issuer.faults.add({"path": "well-known", "fault": "status", "times": 9})
    away = httpx.get(f"{editor.url}/webprotege/oidc/login")
    assert away.headers["location"].endswith("oidc_error=start")


def test_without_an_identity_provider_there_is_no_sign_in(stand_in: OntologyEditorStandIn) -> None:
    found = httpx.get(f"{stand_in.url}/webprotege/oidc/login")
    assert found.status_code == 404
    assert "[&#47;webprotege&#47;oidc&#47;login] is not available" in found.text
