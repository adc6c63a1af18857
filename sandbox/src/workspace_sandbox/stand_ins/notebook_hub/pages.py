"""The hub's pages, each of which says that this is a stand-in."""

from aiohttp import web

STANDS_IN = (
    "This is a stand-in of the workspace manager's sandbox, not a real JupyterHub. Nothing "
    "here is kept safe."
)


def page(title: str, body: str, status: int = 200) -> web.Response:
    text = (
        f"<!doctype html><html lang=en><title>{title} (stand-in)</title><h1>{title}</h1>{body}"
        f"<footer><small>{STANDS_IN}</small></footer>"
    )
    return web.Response(status=status, content_type="text/html", text=text)
