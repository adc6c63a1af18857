"""Everything a person ever had that opens a door, held on to for after the removal, and how each is
tried.
"""

import base64
import hashlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pymysql

from tests.life.browser import Browser
from tests.life.person import PASSWORD, Life
from tests.life.systems import identity_provider, running_containers

CALLBACK = "/accounts/oidc/identity_provider/login/callback/"
SQL_REFUSALS = {0, 1045, 1927, 2006, 2013, 4151}
"""Access denied (1045), the account locked (4151), killed (1927), the session gone (2006, 2013),
and closed on our side after that (0).
"""
LOOK = {"OCS-APIRequest": "true", "Accept": "application/json"}


@dataclass(frozen=True)
class HeldCredential:
    """One thing held on to. `opens` tries it: True when it is taken, False when it is refused;
    anything else fails the test.
    """

    name: str
    opens: Callable[[], bool]
    once: bool = False
    """Good for one use alone: not tried while the person is still here."""


@dataclass
class Tokens:
    """What the identity provider gives for a code."""

    access: str = field(repr=False)
    refresh: str = field(repr=False)

    @property
    def expires_at(self) -> int:
        body = self.access.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return int(claims["exp"])


class Holder:
    """A person who notes down everything. The browser has been everywhere."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.workspace = life.workspace
        self.verifier = secrets.token_urlsafe(48)
        self.client_id = self.workspace.manager
        self.client_secret = self._client_secret()
        self.tokens = self.exchange(self.code("openid"))

    # --- the identity provider -------------------------------------------------------------------

    @property
    def realm(self) -> str:
        idp = self.workspace.system("identity_provider")
        return f"{idp['url']}/realms/{idp['realm']}/protocol/openid-connect"

    def _client_secret(self) -> str:
        query = urlencode({"clientId": self.client_id})
        (client,) = identity_provider(self.workspace, f"/clients?{query}").json()
        path = f"/clients/{client['id']}/client-secret"
        return str(identity_provider(self.workspace, path).json()["value"])

    def authorize(self, scope: str, browser: Browser | None = None) -> httpx.Response:
        """Ask for a code with nothing but the identity provider's cookies."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest())
        query = {
            "client_id": self.client_id, "redirect_uri": self.client_id + CALLBACK,
            "response_type": "code", "scope": scope,
            "prompt": "none", "state": "s", "code_challenge_method": "S256",
            "code_challenge": challenge.rstrip(b"=").decode(),
        }  # fmt: skip
        chosen = (browser or self.life.browser).http
        return chosen.get(f"{self.realm}/auth?{urlencode(query)}", follow_redirects=False)

    def code(self, scope: str) -> str:
        answer = self.authorize(scope)
        return parse_qs(urlsplit(answer.headers["location"]).query)["code"][0]

    def ask_for_tokens(self, **form: str) -> httpx.Response:
        form |= {"client_id": self.client_id, "client_secret": self.client_secret}
        return httpx.post(f"{self.realm}/token", data=form, trust_env=False)

    def exchange(self, code: str) -> Tokens:
        answer = self.redeem(code)
        assert answer.status_code == 200, answer.text
        return Tokens(answer.json()["access_token"], answer.json()["refresh_token"])

    def redeem(self, code: str) -> httpx.Response:
        return self.ask_for_tokens(
            grant_type="authorization_code", code=code, redirect_uri=self.client_id + CALLBACK,
            code_verifier=self.verifier,
        )  # fmt: skip

    def of_identity_provider(self) -> list[HeldCredential]:
        refresh, offline = self.tokens.refresh, self.exchange(self.code("openid offline_access"))
        code = self.code("openid")
        return [
            HeldCredential("password in the sign-in form", self._password_signs_in),
            HeldCredential("password for a token", lambda: granted(self._password_grant())),
            HeldCredential("identity provider's cookies", self._cookies_sign_in),
            HeldCredential("access token at the identity provider", self._userinfo),
            HeldCredential("refresh token", lambda: granted(self._refresh(refresh))),
            HeldCredential("offline token", lambda: granted(self._refresh(offline.refresh))),
            HeldCredential("authorization code", lambda: granted(self.redeem(code)), once=True),
        ]

    def _password_signs_in(self) -> bool:
        browser = Browser()
        page = browser.sign_in(f"{self.workspace.manager}/sign-in", self.life.username, PASSWORD)
        browser.close()
        assert page.status_code == 200, page.text
        return "kc-form-login" not in page.text

    def _password_grant(self) -> httpx.Response:
        form = {
            "grant_type": "password",
            "client_id": "admin-cli",
            "username": self.life.username,
            "password": PASSWORD,
        }
        return httpx.post(f"{self.realm}/token", data=form, trust_env=False)

    def _cookies_sign_in(self) -> bool:
        location = self.authorize("openid").headers["location"]
        said = parse_qs(urlsplit(location).query)
        assert "code" in said or said["error"] == ["login_required"], location
        return "code" in said

    def _userinfo(self) -> bool:
        headers = {"Authorization": f"Bearer {self.tokens.access}"}
        answer = httpx.get(f"{self.realm}/userinfo", headers=headers, trust_env=False)
        return is_accepted(answer, refused={401, 403})

    def _refresh(self, token: str) -> httpx.Response:
        return self.ask_for_tokens(grant_type="refresh_token", refresh_token=token)

    # --- the manager -----------------------------------------------------------------------------

    def of_manager(self) -> list[HeldCredential]:
        made = self.life.call("POST", "/me/tokens", {"name": "held on to"})
        assert made.status_code == 201, made.text
        token = made.json()["token"]
        return [
            HeldCredential(
                "manager's cookies",
                lambda: is_accepted(self.life.call("GET", "/me"), refused={401}),
            ),
            HeldCredential("API token", lambda: self._api(token)),
        ]

    def _api(self, token: str) -> bool:
        headers = {"Authorization": f"Bearer {token}"}
        url = f"{self.workspace.manager}/api/v1/me"
        return is_accepted(httpx.get(url, headers=headers, trust_env=False), refused={401})

    # --- the drive -------------------------------------------------------------------------------

    @property
    def drive(self) -> str:
        return str(self.workspace.system("drive")["url"])

    def bearer_opens_the_drive(self) -> bool:
        """Try the access token at the drive, which takes it until it expires, and makes the account
        anew for it.
        """
        headers = LOOK | {"Authorization": f"Bearer {self.tokens.access}"}
        answer = httpx.get(f"{self.drive}/ocs/v2.php/cloud/user", headers=headers, trust_env=False)
        return is_accepted(answer, refused={401})

    def of_drive(self) -> list[HeldCredential]:
        self.tokens = self.exchange(self.code("openid"))
        headers = LOOK | {"Authorization": f"Bearer {self.tokens.access}"}
        made = httpx.get(
            f"{self.drive}/ocs/v2.php/core/getapppassword", headers=headers,
            trust_env=False,
        )  # fmt: skip
        assert made.status_code == 200, made.text
        app_password = made.json()["ocs"]["data"]["apppassword"]
        know(self.life, filesvc_login_name=self.life.sub, filesvc_app_password=app_password)
        page = self.life.browser.get(f"{self.drive}/login")
        assert page.status_code == 200, page.text
        return [
            HeldCredential("app password", lambda: self._basic(app_password)),
            HeldCredential("drive's cookies", self._drive_page),
        ]

    def _basic(self, app_password: str) -> bool:
        who = (self.life.sub, app_password)
        url = f"{self.drive}/ocs/v2.php/cloud/user"
        answer = httpx.get(url, headers=LOOK, auth=who, trust_env=False)
        return is_accepted(answer, refused={401})

    def _drive_page(self) -> bool:
        page = self.life.browser.http.get(f"{self.drive}/apps/dashboard/", follow_redirects=False)
        return is_accepted(page, refused={302, 303, 401})

    # --- SQL server, triplestore -----------------------------------------------------------------

    def of_sql_server(self) -> list[HeldCredential]:
        component = self.life.make("sql_database", "Field notes")
        name = next(a["name"] for a in component["accounts"] if a["system"] == "sql_server")
        password = self.life.key("sql_server")
        session = self._connect(name, password)

        def ask(connection: "pymysql.Connection[Any]") -> bool:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
                return bool(cursor.fetchall() == ((1,),))

        def sign_in() -> bool:
            with self._connect(name, password) as connection:
                return ask(connection)

        return [
            HeldCredential("SQL password", lambda: sql_taken(sign_in)),
            HeldCredential("open SQL session", lambda: sql_taken(lambda: ask(session))),
        ]

    def _connect(self, user: str, password: str) -> "pymysql.Connection[Any]":
        server = self.workspace.system("sql_server")
        port = int(server["port"])
        return pymysql.connect(host=server["host"], port=port, user=user, password=password)

    def of_triplestore(self) -> list[HeldCredential]:
        repository = self.life.make("triplestore_repository", "Finds")
        who = (self.life.username, self.life.key("triplestore"))

        def ask() -> bool:
            answer = httpx.get(
                repository["address"], params={"query": "ASK {}"}, auth=who,
                headers={"Accept": "application/sparql-results+json"}, trust_env=False,
            )  # fmt: skip
            # 403, 404: of somebody suspended every right is taken, and the password stays.
            return is_accepted(answer, refused={401, 403, 404})

        return [HeldCredential("triplestore password", ask)]

    # --- the notebook ----------------------------------------------------------------------------

    @property
    def hub(self) -> str:
        return str(self.workspace.system("notebook_hub")["url"])

    def of_notebook_hub(self) -> list[HeldCredential]:
        self.life.start_notebook()
        held = [
            HeldCredential("hub's cookies at the notebook", self.life.notebook_answers),
            HeldCredential("hub's cookies for a start", self._start),
        ]
        if self.workspace.system("notebook_hub")["part"] != "real":
            return held
        token, its_own = self._hub_token(), container_environment(self.life)["JUPYTERHUB_API_TOKEN"]
        return [
            *held,
            HeldCredential("hub's API token for a start", lambda: self._start_by(token)),
            HeldCredential("notebook's own token at the hub", lambda: self._hub_knows(its_own)),
        ]

    def _start(self) -> bool:
        self.life.browser.get(f"{self.hub}/hub/spawn")
        return self.container in running_containers(self.workspace)

    @property
    def container(self) -> str:
        return f"jupyter-{self.life.username}"

    def _hub_token(self) -> str:
        """A token of the hub's API, made by the person for later."""
        self.life.browser.get(f"{self.hub}/hub/token")
        jar = self.life.browser.http.cookies.jar
        xsrf = next(c.value for c in jar if c.name == "_xsrf" and c.path == "/hub/")
        answer = self.life.browser.http.post(
            f"{self.hub}/hub/api/users/{self.life.username}/tokens",
            json={"note": "held on to"},
            headers={"X-XSRFToken": str(xsrf), "Referer": f"{self.hub}/hub/token"},
        )
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    def _start_by(self, token: str) -> bool:
        """A running server cannot be started once more: HTTP 400 says that the token was taken."""
        answer = httpx.post(
            f"{self.hub}/hub/api/users/{self.life.username}/server",
            headers={"Authorization": f"token {token}"}, trust_env=False,
        )  # fmt: skip
        runs = self.container in running_containers(self.workspace)
        assert runs or answer.status_code in {400, 403}, answer.text
        return runs

    def _hub_knows(self, token: str) -> bool:
        headers = {"Authorization": f"token {token}"}
        answer = httpx.get(f"{self.hub}/hub/api/user", headers=headers, trust_env=False)
        return is_accepted(answer, refused={403})

    # --- all -------------------------------------------------------------------------------------

    def everything(self) -> list[HeldCredential]:
        """All that opens something, in an order in which it can be had; tokens last, since they are
        short-lived.
        """
        held = [
            *self.of_manager(), *self.of_sql_server(), *self.of_triplestore(),
            *self.of_notebook_hub(), *self.of_drive(),
            *self.of_identity_provider(),
        ]  # fmt: skip
        self.tokens = self.exchange(self.code("openid"))
        return held


def is_accepted(answer: httpx.Response, *, refused: set[int]) -> bool:
    """Whether it was; an answer that is neither yes nor one of these refusals is no proof of
    anything.
    """
    said = f"{answer.url} {answer.status_code} {answer.text}"
    assert answer.status_code == 200 or answer.status_code in refused, said
    return answer.status_code == 200


def granted(answer: httpx.Response) -> bool:
    """Whether a token was given. A code or token that is merely too old would prove nothing."""
    if answer.status_code == 200:
        return True
    said = answer.json()
    assert (answer.status_code, said["error"]) in {(400, "invalid_grant"), (401, "invalid_grant")}
    assert "expired" not in said.get("error_description", ""), said
    return False


def sql_taken(ask: Callable[[], bool]) -> bool:
    """Whether the server answered; trouble of another kind is raised."""
    try:
        return ask()
    except pymysql.MySQLError as error:
        if error.args[0] not in SQL_REFUSALS:
            raise
        return False


def know(life: Life, **attributes: str) -> None:
    """Give the person attributes at the identity provider, as connecting the drive does."""
    path = f"/users/{life.sub}"
    document: dict[str, Any] = identity_provider(life.workspace, path).json()
    document["attributes"] |= {name: [value] for name, value in attributes.items()}
    assert identity_provider(life.workspace, path, document, method="PUT").status_code == 204


def container_environment(life: Life) -> dict[str, str]:
    """The notebook's environment variables, by the container manager."""
    manager = life.workspace.system("container_manager")
    found = httpx.get(
        f"{manager['url']}/api/endpoints/{manager['environment_id']}/docker/containers/jupyter-{life.username}/json",
        headers={"X-API-Key": manager["api_key"]}, trust_env=False,
    ).json()  # fmt: skip
    return dict(pair.split("=", 1) for pair in found["Config"]["Env"])
