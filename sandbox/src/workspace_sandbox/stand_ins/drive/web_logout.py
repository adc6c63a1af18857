"""Signing out: single logout at the identity provider, and its back-channel logout."""

from aiohttp import web

from workspace_sandbox.stand_ins import openid
from workspace_sandbox.stand_ins.drive import pages
from workspace_sandbox.stand_ins.drive.ocs import php_json
from workspace_sandbox.stand_ins.drive.oidc import LOGOUT_EVENT, Unreachable
from workspace_sandbox.stand_ins.drive.throttle import OIDC_LOGOUT
from workspace_sandbox.stand_ins.drive.web_login import NO_PROVIDER, only_provider, refuse
from workspace_sandbox.stand_ins.drive.world import World, address, base


async def single_logout(world: World, request: web.Request) -> web.Response:
    """GET /apps/user_oidc/sls: end the session and go on to the identity provider's logout; values
    are not URL-encoded.
    """
    where = address(request)
    if world.throttle.blocked(where, OIDC_LOGOUT):
        return pages.blocked()
    session = world.session(request)
    kept = dict(session)
    home = f"{base(request)}/"
    delay = world.throttle.delay_ms(where, OIDC_LOGOUT)
    provider = only_provider(world)
    if "provider" in kept:
        provider = world.oidc.provider(kept["provider"])
        if provider is None:
            return refuse(world, request, OIDC_LOGOUT, NO_PROVIDER)
    if provider is None or not world.options["single_logout"]:
        world.end_session(session)
        return pages.redirect(303, home, throttled_ms=delay)
    try:
        discovery = await world.oidc.discover(provider)
    except Unreachable:
        # Nothing is ended: the real one asks the identity provider before.
        return pages.server_error()
    world.end_session(session)
    end = provider["endSessionEndpoint"] or discovery.get("end_session_endpoint")
    if not end:
        return pages.redirect(303, home, throttled_ms=delay)
    back = provider["postLogoutUri"] or home
    target = f"{end}?post_logout_redirect_uri={back}&client_id={provider['clientId']}"
    if provider["settings"]["sendIdTokenHint"] and kept.get("id_token"):
        target += f"&id_token_hint={kept['id_token']}"
    return pages.redirect(303, target, throttled_ms=delay)


async def logout(world: World, request: web.Request) -> web.Response:
    """GET /logout: out of the drive, and on to single logout for somebody who came by the identity
    provider.
    """
    session = world.session(request)
    if "provider" in session and world.options["single_logout"]:
        return pages.redirect(303, "/apps/user_oidc/sls")
    world.end_session(session)
    return pages.redirect(303, "/login")


async def backchannel_logout(world: World, request: web.Request, identifier: str) -> web.Response:
    """POST /apps/user_oidc/backchannel-logout/{identifier}: end browser sessions; app passwords
    survive.
    """
    form = await request.post()
    provider = next((p for p in world.oidc.providers if p["identifier"] == identifier), None)
    if provider is None:
        return _backchannel_error("provider not found", "The provider was not found.")
    try:
        discovery = await world.oidc.discover(provider)
        claims = await world.oidc.verify(str(form.get("logout_token", "")), discovery)
    except Unreachable:
        return _backchannel_error("could not reach provider endpoint", "The endpoint is away.")
    if claims is None or not {"aud", "iat", "jti", "events"} <= set(claims):
        return _backchannel_error("missing one or more claims", "The token lacks claims.")
    if not openid.is_for(claims, provider["clientId"]):
        return _backchannel_error("invalid audience", "The audience is not us.")
    if not isinstance(claims["events"], dict) or LOGOUT_EVENT not in claims["events"]:
        return _backchannel_error("invalid event", "The event is no logout.")
    if "nonce" in claims:
        return _backchannel_error("invalid nonce", "A logout token holds no nonce.")
    world.end_sessions(sid=str(claims.get("sid", "")), sub=str(claims.get("sub", "")))
    return _no_store(web.Response(body=b"[]"))


def _backchannel_error(error: str, description: str) -> web.Response:
    body = php_json({"error": error, "error_description": description})
    return _no_store(web.Response(status=400, reason="Bad request", body=body))


def _no_store(response: web.Response) -> web.Response:
    response.headers["Content-Type"] = "application/json; charset=utf-8"
    response.headers["Cache-Control"] = "no-store"
    return response
