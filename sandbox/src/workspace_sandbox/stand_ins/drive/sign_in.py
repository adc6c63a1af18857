"""The asker of a call: Basic with a password or an app password, a bearer, or a browser session;
with brute-force counting.

Order and quirks as recorded: a kept cookie of a session that an app password opened wins over other
Basic credentials, even wrong ones; a bearer is never counted; an app password is also a bearer.
"""

import asyncio
import base64
import binascii
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from workspace_sandbox.stand_ins.drive.accounts import TEMPORARY, same_password
from workspace_sandbox.stand_ins.drive.throttle import LOGIN
from workspace_sandbox.stand_ins.drive.world import World, address

PASSWORD, APP_PASSWORD, OIDC, SESSION = "password", "app password", "oidc", "session"


class Wrong(Exception):
    """User name and password do not fit, or they do and the account is disabled: that is not
    counted.
    """

    def __init__(self, *, disabled: bool = False) -> None:
        super().__init__("wrong credentials")
        self.disabled = disabled


class Blocked(Exception):
    """The address is blocked after too many failures."""


@dataclass
class Asker:
    """The asker, and what they ask with. `csrf_exempt`: an OpenID Connect or app-password bearer
    needs no OCS header.
    """

    account: dict[str, Any]
    by: str
    login_name: str
    token: dict[str, Any] | None = None
    csrf_exempt: bool = False

    @property
    def uid(self) -> str:
        return str(self.account["id"])

    @property
    def admin(self) -> bool:
        return "admin" in self.account["groups"]


async def find_asker(world: World, request: web.Request) -> Asker | None:
    """Give the asker; None for nobody, also after a rejected bearer. Raises Wrong and Blocked for
    Basic.
    """
    scheme, _, value = request.headers.get("Authorization", "").partition(" ")
    bearer_word = scheme in {"Bearer", "bearer"} or (
        scheme.lower() == "bearer" and world.oidc.version < (8, 7, 0)
    )
    if bearer_word and value:
        return await _bearer(world, request, value.strip())
    session = world.session(request)
    account = world.signed_in(session)
    if account and session.get("by") in {APP_PASSWORD, SESSION, OIDC}:
        return Asker(account, session["by"], session.get("login_name", account["id"]))
    if scheme.lower() == "basic":
        return await _basic(world, request, value)
    if account:
        return Asker(account, session["by"], session.get("login_name", account["id"]))
    return None


async def _bearer(world: World, request: web.Request, value: str) -> Asker | None:
    token = world.accounts.token(value)
    if token is not None:
        account = world.accounts.all[token["uid"]]
        if not account["enabled"]:
            raise Wrong(disabled=True)
        world.accounts.seen(account)
        return Asker(account, APP_PASSWORD, token["login_name"], token, csrf_exempt=True)
    found = await world.oidc.sign_in(value)
    if found is None:
        return None
    if not world.oidc.refuses_app_passwords:
        _open_token_session(world, request, found)
    return Asker(found, OIDC, found["id"], csrf_exempt=True)


async def _basic(world: World, request: web.Request, value: str) -> Asker:
    try:
        decoded = base64.b64decode(value, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        decoded = ""
    login, _, password = decoded.partition(":")
    asker = await check_password(world, request, login, password)
    _open_session(world, request, asker.account, asker.by, asker.login_name)
    return asker


async def check_password(world: World, request: web.Request, login: str, password: str) -> Asker:
    """Check what a person or a client typed. Raises Blocked before looking, Wrong
    after counting.
    """
    where = address(request)
    if world.throttle.blocked(where, LOGIN):
        raise Blocked
    if world.options["throttle_sleep"]:
        await asyncio.sleep(world.throttle.delay_ms(where, LOGIN) / 1000)
    token = world.accounts.token(password)
    account = world.accounts.by_login(login)
    asker: Asker | None = None
    if token is not None and token["login_name"] == login:
        asker = Asker(world.accounts.all[token["uid"]], APP_PASSWORD, login, token)
    elif account and account["password"] and same_password(password, account["password"]):
        # A login by e-mail becomes the id; one typed in another case stays as typed.
        name = login if login.casefold() == account["id"].casefold() else account["id"]
        asker = Asker(account, PASSWORD, name)
    if asker is None:
        world.throttle.note(where, LOGIN, login)
        raise Wrong
    if not asker.account["enabled"]:
        raise Wrong(disabled=True)
    world.throttle.forgive(where, login)
    world.accounts.seen(asker.account)
    return asker


def _open_token_session(world: World, request: web.Request, account: dict[str, Any]) -> None:
    """A token opens a session that is a temporary token of the account; shown with the cookies of
    that session, it goes on in it.
    """
    session = world.session(request)
    if world.signed_in(session) != account or session.get("by") != OIDC:
        name = request.headers.get("User-Agent", "")
        kept = world.accounts.mint(account["id"], account["id"], name, kind=TEMPORARY)
        session = {"key": session["key"], "token": kept}
    session |= {"uid": account["id"], "by": OIDC, "login_name": account["id"]}
    world.keep(request, session)


def _open_session(
    world: World, request: web.Request, account: dict[str, Any], by: str, login_name: str
) -> None:
    session = world.session(request)
    session |= {"uid": account["id"], "by": by, "login_name": login_name}
    world.keep(request, session)
