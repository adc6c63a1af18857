"""A stand-in to try by hand: calls in the shape a client, an administrator and a browser
make them.
"""

import base64
import hashlib
import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn

PASSWORD = "correct horse battery"
MANAGER, DRIVE, HUB = "https://manager.example", "https://drive.example", "hub"
BACK, BYE = "http://127.0.0.1:9/cb", "http://127.0.0.1:9/bye"
VERIFIER = "v" * 50
CHALLENGE = (
    base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
)


def mapper(name: str, kind: str, **config: str) -> dict[str, Any]:
    return {
        "name": name,
        "protocol": "openid-connect",
        "protocolMapper": kind,
        "config": {key.replace("__", "."): value for key, value in config.items()},
    }


def clients(logout_url: str = "") -> list[dict[str, Any]]:
    told = {"backchannel.logout.url": logout_url, "backchannel.logout.session.required": "true"}
    shared = {"publicClient": False, "directAccessGrantsEnabled": True, "frontchannelLogout": False}
    audience = {"access__token__claim": "true", "id__token__claim": "false"}
    userinfo = {
        "userinfo__token__claim": "true",
        "id__token__claim": "false",
        "access__token__claim": "false",
    }
    return [
        {
            **shared,
            "clientId": MANAGER,
            "secret": "manager-secret",
            "redirectUris": [BACK],
            "attributes": {
                "pkce.code.challenge.method": "S256",
                "post.logout.redirect.uris": BYE,
                **(told if logout_url else {}),
            },
            "protocolMappers": [
                mapper("a1", "oidc-audience-mapper", included__client__audience=DRIVE, **audience),
                mapper("a2", "oidc-audience-mapper", included__client__audience=MANAGER,
                **audience),
            ],
        },
        {**shared, "clientId": DRIVE, "secret": "drive-secret",
        "redirectUris": [f"{BACK}/drive/*"]},
        {
            **shared,
            "clientId": HUB,
            "secret": "hub-secret",
            "redirectUris": [f"{BACK}/hub"],
            "protocolMappers": [
                mapper(
                    "login", "oidc-usermodel-attribute-mapper",
                    user__attribute="filesvc_login_name",
                    claim__name="filesvc_login_name", jsonType__label="String", **userinfo,
                )
            ],
        },
        {"clientId": "provisioner", "publicClient": False, "secret": "prov-secret",
        "serviceAccountsEnabled": True},
        {"clientId": "public", "publicClient": True, "redirectUris": ["*"]},
    ]  # fmt: skip


def person(name: str, **more: Any) -> dict[str, Any]:
    return {
        "username": name,
        "enabled": True,
        "email": f"{name}@example.org",
        "emailVerified": True,
        "firstName": "F",
        "lastName": "L",
        "credentials": [{"type": "password", "value": PASSWORD}],
        **more,
    }


def claims(token: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "==="))
    return document


class Wire:
    """Somebody at the other end of the wire."""

    def __init__(self, stand_in: IdentityProviderStandIn) -> None:
        self.base = stand_in.url
        self.realm = stand_in.realm
        self.http = httpx.Client(base_url=stand_in.url)

    # --- administrator ----------------------------------------------------------------------------

    def admin_token(self) -> str:
        form = {
            "grant_type": "password",
            "client_id": "admin-cli",
            "username": "admin",
            "password": "admin",
        }
        answer = self.http.post("/realms/master/protocol/openid-connect/token", data=form)
        return str(answer.json()["access_token"])

    def admin(self, method: str, path: str, document: Any = None, **more: Any) -> httpx.Response:
        token = more.pop("token", None) or self.admin_token()
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        headers |= more.pop("headers", {})
        if document is not None:
            more["json"] = document
        address = path if path.startswith("/admin") else f"/admin/realms/{self.realm}/{path}"
        return self.http.request(method, address, headers=headers, **more)

    def make(self, name: str, **more: Any) -> str:
        """Make a user; gives its id, which only `Location` tells."""
        answer = self.admin("POST", "users", person(name, **more))
        assert answer.status_code == 201, answer.text
        return answer.headers["location"].rpartition("/")[2]

    def user(self, user_id: str) -> dict[str, Any]:
        document: dict[str, Any] = self.admin("GET", f"users/{user_id}").json()
        return document

    # --- client -----------------------------------------------------------------------------------

    def oidc(self, method: str, path: str, **more: Any) -> httpx.Response:
        address = f"/realms/{self.realm}/protocol/openid-connect/{path}"
        return self.http.request(method, address, **more)

    def token(self, **form: str) -> httpx.Response:
        return self.oidc("POST", "token", data=form)

    def password(self, name: str, password: str = PASSWORD, **form: str) -> httpx.Response:
        known = {"client_id": MANAGER, "client_secret": "manager-secret", "scope": "openid"}
        return self.token(grant_type="password", username=name, password=password, **(known | form))

    def refresh(self, token: str, **form: str) -> httpx.Response:
        known = {"client_id": MANAGER, "client_secret": "manager-secret"} | form
        return self.token(grant_type="refresh_token", refresh_token=token, **known)

    def userinfo(self, token: str) -> httpx.Response:
        return self.oidc("GET", "userinfo", headers={"Authorization": f"Bearer {token}"})


def read_refusal(answer: httpx.Response) -> tuple[int, str, str]:
    """Status, code and sentence of a refusal."""
    document = answer.json()
    return answer.status_code, document["error"], document.get("error_description", "")


class Browser:
    """A browser with one cookie jar, which sends `Secure` cookies over loopback http as browsers
    do.

    See docs/systems/identity-provider.md#cookies.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.jar: dict[str, str] = {}

    def send(self, method: str, address: str, **more: Any) -> httpx.Response:
        parts = urlsplit(address)
        headers = {"Accept": "text/html"}
        if self.jar:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        answer = httpx.request(method, self.wire.base + target, headers=headers, **more)
        for cookie in answer.headers.get_list("set-cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            if "Max-Age=0" in cookie:
                self.jar.pop(name, None)
            else:
                assert "Secure" in cookie
                assert "SameSite=None" in cookie
                self.jar[name] = value
        return answer

    def authorize(self, **query: str) -> httpx.Response:
        asked = {
            "client_id": MANAGER, "response_type": "code", "scope": "openid", "redirect_uri": BACK,
            "state": "st",
            "nonce": "nn", "code_challenge": CHALLENGE, "code_challenge_method": "S256",
        } | query  # fmt: skip
        kept = urlencode({name: value for name, value in asked.items() if value})
        return self.send("GET", f"/realms/{self.wire.realm}/protocol/openid-connect/auth?{kept}")

    def fill(self, page: httpx.Response, **fields: str) -> httpx.Response:
        """Send the form of a page."""
        found = re.search(r'<form[^>]*action="([^"]+)"', page.text)
        assert found, page.text
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
        return self.send("POST", unescape(found[1]), data=hidden | fields)

    def sign_in(self, name: str, password: str = PASSWORD, **query: str) -> httpx.Response:
        return self.fill(self.authorize(**query), username=name, password=password)

    def exchange(self, code: str, **form: str) -> httpx.Response:
        known = {
            "client_id": MANAGER, "client_secret": "manager-secret", "redirect_uri": BACK,
            "code_verifier": VERIFIER,
        } | form  # fmt: skip
        kept = {name: value for name, value in known.items() if value}
        return self.wire.token(grant_type="authorization_code", code=code, **kept)


def error_of(page: httpx.Response) -> str:
    found = re.search(r'<p class="instruction">([^<]*)</p>', page.text)
    assert found, page.text
    return found[1]


def sent_back(answer: httpx.Response) -> dict[str, str]:
    """What a redirect carries to the client."""
    assert answer.status_code == 302, answer.text
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    return {name: values[0] for name, values in query.items()}
