"""The front page, which says what this is, and the page after signing in."""

from html import escape

from aiohttp import web

from workspace_sandbox.stand_ins.drive import pages
from workspace_sandbox.stand_ins.drive.world import World, base


async def show_front_page(world: World, request: web.Request) -> web.Response:
    """GET /: what this is."""
    account = world.signed_in(world.session(request))
    if account:
        return pages.redirect(302, f"{base(request)}/apps/dashboard/")
    body = (
        "<h1>Nextcloud</h1><p>This is a stand-in of the workspace manager's sandbox, not "
        "the real product. "
        'Nothing here is kept safe.</p><p><a href="/login">Log in</a></p>'
    )
    return pages.page(body, title="Nextcloud (stand-in)")


async def dashboard(world: World, request: web.Request) -> web.Response:
    """GET /apps/dashboard/: who is signed in, and the files."""
    account = world.signed_in(world.session(request))
    if account is None:
        return pages.redirect(303, "/login?redirect_url=/apps/dashboard/")
    files = "".join(
        f"<li>{escape(name)}</li>" for name in sorted(world.accounts.home(account["id"]))
    )
    name = escape(account["display_name"] or account["id"])
    body = (
        f"<h1>Good day, {name}</h1><p>Your account is <code>{escape(account['id'])}</code>.</p>"
        f'<h2>Files</h2><ul>{files}</ul><p><a href="/logout">Log out</a></p>'
    )
    return pages.page(body, title="Dashboard – Nextcloud")
