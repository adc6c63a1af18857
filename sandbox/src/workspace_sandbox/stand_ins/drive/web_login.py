"""Browser sign-in: local password, and OpenID Connect as a real client."""

import json
from typing import Any
from urllib.parse import quote, urlsplit

from aiohttp import web

from workspace_sandbox.stand_ins import openid
from workspace_sandbox.stand_ins.drive import pages
from workspace_sandbox.stand_ins.drive.accounts import random_text
from workspace_sandbox.stand_ins.drive.oidc import Unreachable
from workspace_sandbox.stand_ins.drive.sign_in import SESSION, Blocked, Wrong, check_password
from workspace_sandbox.stand_ins.drive.throttle import LOGIN, OIDC_CODE, OIDC_LOGIN
from workspace_sandbox.stand_ins.drive.world import World, address, base

NO_PROVIDER = "There is no such OpenID Connect provider."
UNREACHABLE = "Could not reach the OpenID Connect provider."
NO_HTTPS = "You must access Nextcloud with HTTPS to use OpenID Connect."
NO_TOKENS = "Failed to contact the OIDC provider token endpoint"
STATE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def alternatives(world: World) -> list[dict[str, str]]:
    """Other ways in, as buttons: each provider, ID4me, the social-login app."""
    found = [
        {"name": f"Login with {p['identifier']}", "href": f"/apps/user_oidc/login/{p['id']}"}
        for p in world.oidc.providers
    ]
    if world.options["id4me_enabled"] and world.oidc.running:
        found.append({"name": "ID4ME", "href": "/apps/user_oidc/id4me"})
    if world.options["social_login"]:
        found.append({"name": "Log in", "href": "/apps/sociallogin/custom_oidc/keycloak"})
    return found


def only_provider(world: World) -> dict[str, Any] | None:
    """Return the provider that sign-in leads to without asking, if there is exactly one way in."""
    if world.options["allow_multiple_user_backends"] or len(world.oidc.providers) != 1:
        return None
    return world.oidc.providers[0]


async def login_page(world: World, request: web.Request) -> web.Response:
    """GET /login: straight to the identity provider on a drive with single sign-on only."""
    wanted = request.query.get("redirect_url", "")
    if world.signed_in(world.session(request)):
        return pages.redirect(303, _inside(request, wanted))
    provider = only_provider(world)
    scripted = {"OCS-APIRequest", "X-Requested-With"} & set(request.headers)
    if provider and request.query.get("direct") != "1" and not scripted:
        where = f"/apps/user_oidc/login/{provider['id']}"
        if wanted:
            where += "?redirectUrl=" + quote(base(request) + wanted, safe=":/?")
        return pages.redirect(302, where)
    return pages.login_form(
        redirect_url=wanted,
        alternatives=alternatives(world),
        hidden=bool(world.options["hide_login_form"]),
        password_link=str(world.options["lost_password_link"]),
    )


async def login_post(world: World, request: web.Request) -> web.Response:
    """POST /login: a local password; works also while the form is hidden."""
    form = await request.post()
    wanted = str(form.get("redirect_url", ""))
    if world.throttle.blocked(address(request), LOGIN):
        return pages.blocked()
    if ":" not in str(form.get("requesttoken", "")):
        return pages.redirect(303, "/login")
    delay = world.throttle.delay_ms(address(request), LOGIN)
    try:
        asker = await check_password(
            world, request, str(form.get("user", "")), str(form.get("password", ""))
        )
    except (Wrong, Blocked):
        return pages.login_form(
            redirect_url=wanted,
            alternatives=alternatives(world),
            hidden=bool(world.options["hide_login_form"]),
            password_link=str(world.options["lost_password_link"]),
            failed=True,
        )
    session = world.session(request)
    session |= {"uid": asker.uid, "by": SESSION, "login_name": asker.login_name}
    world.keep(request, session)
    return pages.redirect(303, _inside(request, wanted), throttled_ms=delay)


def _inside(request: web.Request, wanted: str) -> str:
    """Return the address after signing in: only one of our own pages."""
    ours = wanted.startswith("/") and not wanted.startswith(("//", "/\\"))
    return base(request) + (wanted if ours else "/apps/dashboard/")


# --- OpenID Connect -------------------------------------------------------------------------------


def refuse(world: World, request: web.Request, action: str, text: str) -> web.Response:
    """Refuse with 404 and count it; the real one sleeps before and after, and says how long."""
    where = address(request)
    before = world.throttle.delay_ms(where, action)
    world.throttle.note(where, action)
    after = world.throttle.delay_ms(where, action)
    return pages.error(text, status=404, throttled_ms=before + after)


async def oidc_login(world: World, request: web.Request, number: str) -> web.Response:
    """GET /apps/user_oidc/login/{id}: off to the identity provider."""
    where = address(request)
    if world.throttle.blocked(where, OIDC_LOGIN):
        return pages.blocked()
    if request.scheme != "https" and not world.options["allow_insecure_http"]:
        return refuse(world, request, OIDC_LOGIN, NO_HTTPS)
    provider = world.oidc.provider(int(number))
    if provider is None:
        return refuse(world, request, OIDC_LOGIN, NO_PROVIDER)
    try:
        discovery = await world.oidc.discover(provider)
    except Unreachable:
        return refuse(world, request, OIDC_LOGIN, UNREACHABLE)
    verifier = random_text(128)
    session = world.session(request)
    session["oidc"] = {
        "state": random_text(32, STATE),
        "nonce": random_text(32, STATE),
        "verifier": verifier,
        "provider": provider["id"],
        "redirect": request.query.get("redirectUrl", ""),
    }
    world.keep(request, session)
    wanted = {"email": None, "preferred_username": None, "quota": None, "groups": None}
    query = {
        "scope": provider["scope"],
        "redirect_uri": f"{base(request)}/apps/user_oidc/code",
        "claims": json.dumps({"id_token": wanted, "userinfo": wanted}, separators=(",", ":")),
        "state": session["oidc"]["state"],
        "nonce": session["oidc"]["nonce"],
    }
    if "S256" in discovery.get("code_challenge_methods_supported", []):
        query["code_challenge"] = openid.challenge(verifier)
        query["code_challenge_method"] = "S256"
    client = openid.Client(provider["clientId"], provider["clientSecret"])
    target = openid.sign_in_address(discovery, client, **query)
    delay = world.throttle.delay_ms(where, OIDC_LOGIN)
    return pages.redirect(303, target, throttled_ms=delay)


def _forbidden(text: str, status: int = 403) -> web.Response:
    return pages.error(text, status=status, title="Access forbidden")


async def oidc_code(world: World, request: web.Request) -> web.Response:
    """GET /apps/user_oidc/code: back from the identity provider."""
    if world.throttle.blocked(address(request), OIDC_CODE):
        return pages.blocked()
    if "error" in request.query:
        return _forbidden("The identity provider failed to authenticate the user.", 400)
    session = world.session(request)
    flow = session.pop("oidc", None)
    if flow is None or flow["state"] != request.query.get("state"):
        return _forbidden("The received state has expired.")
    provider = world.oidc.provider(flow["provider"])
    if provider is None:
        return _forbidden(NO_PROVIDER)
    try:
        discovery = await world.oidc.discover(provider)
        token = await _exchange(request, provider, discovery, flow)
        claims = await world.oidc.verify(token, discovery)
    except openid.ProviderRefusal as refused:
        why = f": {refused.description}" if refused.description else ""
        return _forbidden(f"{NO_TOKENS}{why}")
    except Unreachable:
        return _forbidden(NO_TOKENS)
    if claims is None or not openid.is_for(claims, provider["clientId"]):
        return _forbidden("The audience or the signature of the token does not hold.")
    if claims.get("azp", provider["clientId"]) != provider["clientId"]:
        return _forbidden("The authorized party does not match ours.")
    if claims.get("nonce") != flow["nonce"]:
        return _forbidden("The nonce does not match.")
    account = world.oidc.account(provider, claims, bearer=False)
    if account is None or not account["enabled"]:
        return _forbidden("Failed to provision the user.", 400)
    session |= {
        "uid": account["id"],
        "by": SESSION,
        "login_name": account["id"],
        "provider": provider["id"],
        "id_token": token,
        "sub": claims.get("sub", ""),
        "sid": claims.get("sid", ""),
    }
    world.keep(request, session)
    return pages.redirect(303, _after_sign_in(request, flow["redirect"]))


def _after_sign_in(request: web.Request, wanted: str) -> str:
    parts = urlsplit(wanted)
    if parts.netloc and parts.netloc != request.host:
        wanted = ""
    if not wanted:
        return f"{base(request)}/apps/dashboard/"
    return parts.path + (f"?{parts.query}" if parts.query else "")


async def _exchange(
    request: web.Request, provider: dict[str, Any], discovery: dict[str, Any], flow: dict[str, Any]
) -> str:
    client = openid.Client(provider["clientId"], provider["clientSecret"])
    try:
        document = await openid.tokens(
            discovery,
            client,
            grant_type="authorization_code",
            code=request.query.get("code", ""),
            redirect_uri=f"{base(request)}/apps/user_oidc/code",
            code_verifier=flow["verifier"],
        )
    except openid.ProviderUnavailable as broken:
        raise Unreachable from broken
    if not isinstance(document.get("id_token"), str):
        raise Unreachable
    return str(document["id_token"])
