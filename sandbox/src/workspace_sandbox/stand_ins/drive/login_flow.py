"""Login Flow v2: start, poll, and the pages on which a person grants access."""

from html import escape
from urllib.parse import quote

from aiohttp import web

from workspace_sandbox.stand_ins.drive import pages
from workspace_sandbox.stand_ins.drive.accounts import random_text
from workspace_sandbox.stand_ins.drive.ocs import JSON_TYPE, php_json
from workspace_sandbox.stand_ins.drive.world import FLOW_S, Flow, World, base

TOKEN_LENGTH, STATE_LENGTH = 128, 64
EXPIRED = "Your login token is invalid or has expired"


def _json(document: object, status: int = 200) -> web.Response:
    return web.Response(status=status, body=php_json(document), headers={"Content-Type": JSON_TYPE})


async def start(world: World, request: web.Request) -> web.Response:
    """POST /index.php/login/v2: no sign-in needed, and never throttled."""
    world.purge_flows()
    flow = Flow(
        poll_token=random_text(TOKEN_LENGTH),
        login_token=random_text(TOKEN_LENGTH),
        client_name=request.headers.get("User-Agent", "") or "unknown",
        server=base(request),
        until=world.now() + FLOW_S,
    )
    world.flows.append(flow)
    poll = {"token": flow.poll_token, "endpoint": f"{flow.server}/login/v2/poll"}
    return _json({"poll": poll, "login": f"{flow.server}/login/v2/flow/{flow.login_token}"})


async def poll(world: World, request: web.Request) -> web.Response:
    """POST /login/v2/poll: 404 until granted, then once the pair."""
    world.purge_flows()
    token = None
    if request.content_type == "application/json":
        try:
            document = await request.json()
        except ValueError:
            document = None
        token = document.get("token") if isinstance(document, dict) else None
    else:
        token = (await request.post()).get("token")
    if token is None:
        return pages.server_error()
    flow = next((f for f in world.flows if f.poll_token == token and f.granted), None)
    if flow is None or flow.granted is None:
        return _json([], 404)
    world.flows.remove(flow)
    name, password = flow.granted
    return _json({"server": flow.server, "loginName": name, "appPassword": password})


def _flow(world: World, token: str) -> Flow | None:
    world.purge_flows()
    return next((f for f in world.flows if f.login_token == token and not f.granted), None)


def _expired() -> web.Response:
    return pages.error(EXPIRED, status=403, title="Access forbidden")


async def landing(world: World, request: web.Request, token: str) -> web.Response:
    """GET /login/v2/flow/{token}: remember the flow in the session."""
    if _flow(world, token) is None:
        return _expired()
    session = world.session(request)
    session["flow"] = token
    world.keep(request, session)
    return pages.redirect(303, f"{base(request)}/login/v2/flow?user=&direct=0")


async def pick(world: World, request: web.Request) -> web.Response:
    """GET /login/v2/flow: say who wants access, lead to the grant page."""
    session = world.session(request)
    flow = _flow(world, session.get("flow", ""))
    if flow is None:
        return _expired()
    session["state_token"] = random_text(STATE_LENGTH)
    action = f"/login/v2/grant?stateToken={session['state_token']}&user=&direct=0"
    body = (
        "<h2>Connect to your account</h2>"
        f"<p>Please log in before granting <strong>{escape(flow.client_name)}</strong> "
        f"access to your Nextcloud account.</p>"
        f'<p id="redirect-link"><a class="button primary" id="login" '
        f'href="{escape(action)}">Log in</a></p>'
    )
    return pages.page(body)


def _state_fits(session: dict[str, str], state_token: str) -> bool:
    return bool(state_token) and session.get("state_token") == state_token


async def grant_page(world: World, request: web.Request) -> web.Response:
    """GET /login/v2/grant: after signing in, ask for consent."""
    session = world.session(request)
    token = request.query.get("stateToken", "")
    account = world.signed_in(session)
    if account is None:
        here = quote(request.rel_url.raw_path_qs, safe="/?")
        return pages.redirect(303, f"/login?redirect_url={here}")
    if not _state_fits(session, token):
        return pages.error("State token does not match", status=403, title="Access forbidden")
    flow = _flow(world, session.get("flow", ""))
    if flow is None:
        return _expired()
    name = escape(account["display_name"] or account["id"])
    body = (
        "<h2>Account access</h2>"
        f"<p>Currently logged in as {name} ({escape(account['id'])}).</p>"
        f"<p>You are about to grant <strong>{escape(flow.client_name)}</strong> access "
        f"to your Nextcloud account.</p>"
        '<form method="POST" action="/login/v2/grant">'
        f'<input type="hidden" name="requesttoken" value="{pages.request_token()}">'
        f'<input type="hidden" name="stateToken" value="{escape(token)}">'
        '<input type="submit" class="login primary" id="submit-grant" value="Grant access"></form>'
    )
    return pages.page(body)


async def grant(world: World, request: web.Request) -> web.Response:
    """POST /login/v2/grant: make the app password; the next poll fetches it."""
    form = await request.post()
    session = world.session(request)
    account = world.signed_in(session)
    if account is None:
        return pages.redirect(303, "/login")
    if not _state_fits(session, str(form.get("stateToken", ""))):
        return pages.error("State token does not match", status=403, title="Access forbidden")
    flow = _flow(world, session.get("flow", ""))
    if flow is None:
        return _expired()
    login_name = session.get("login_name", account["id"])
    password = world.accounts.mint(account["id"], login_name, flow.client_name)
    flow.granted = (login_name, password)
    session.pop("state_token", None)
    body = (
        "<h2>Account connected</h2><p>Your client should now be connected! You can close "
        "this window.</p>"
    )
    return pages.page(body)
