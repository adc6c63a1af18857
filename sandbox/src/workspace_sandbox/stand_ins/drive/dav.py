"""WebDAV under /remote.php/dav/files/{uid}/: enough to see whether a password opens a home."""

import base64
import hashlib
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import quote, unquote
from xml.sax.saxutils import escape

from aiohttp import web

from workspace_sandbox.stand_ins.drive import dav_files
from workspace_sandbox.stand_ins.drive.sign_in import Asker, Blocked, Wrong, find_asker
from workspace_sandbox.stand_ins.drive.world import World

XML = "application/xml; charset=utf-8"
SABRE = "Sabre\\DAV\\Exception\\"
NO_BASIC = (
    "No 'Authorization: Basic' header found. Either the client didn't send one, or the "
    "server is misconfigured"
)
NO_BEARER = (
    "No 'Authorization: Bearer' header found. Either the client didn't send one, or the "
    "server is mis-configured"
)
WRONG_BASIC = "Username or password was incorrect"
WRONG_BEARER = "Bearer token was incorrect"
FEATURES = (
    "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, "
    "nextcloud-checksum-update, "
    "nc-calendar-search, nc-enable-birthday-calendar"
)


def error(
    status: int, exception: str, message: str = "", *, hint: str = "", **headers: str
) -> web.Response:
    """Answer as sabre/dav does."""
    shown = f"<s:message>{escape(message)}</s:message>" if message else "<s:message/>"
    space = ' xmlns:o="http://owncloud.org/ns"' if hint else ""
    extra = f'\n  <o:hint xmlns:o="o:">{escape(hint)}</o:hint>' if hint else ""
    body = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"{space}>\n'
        f"  <s:exception>{exception}</s:exception>\n  {shown}{extra}\n</d:error>\n"
    )
    return web.Response(status=status, body=body.encode(), headers={"Content-Type": XML, **headers})


async def answer(world: World, request: web.Request) -> web.Response:
    """Answer one WebDAV request."""
    response = await _answer(world, request)
    return world.with_cookies(request, response)


async def _answer(world: World, request: web.Request) -> web.Response:
    if world.options["maintenance"]:
        exception = "OCA\\DAV\\Exception\\ServerMaintenanceMode"
        return error(503, exception, "System is in maintenance mode.")
    asker = None
    refusal = _not_authenticated(request)
    try:
        asker = await find_asker(world, request)
    except Blocked:
        exception = "OCA\\DAV\\Connector\\Sabre\\Exception\\TooManyRequests"
        return error(429, exception, hint="too many requests")
    except Wrong as wrong:
        if wrong.disabled and request.headers["Authorization"].lower().startswith("bearer"):
            return error(500, "OC\\User\\LoginException", "Account disabled")
        if wrong.disabled:
            text = "OC\\User\\LoginException: Account disabled"
            return error(503, SABRE + "ServiceUnavailable", text)
    if asker is None:
        return refusal
    path = unquote(request.rel_url.raw_path.removeprefix("/remote.php/dav/files/"))
    home, _, inside = path.partition("/")
    if home not in world.accounts.all:
        return error(404, SABRE + "NotFound", f"Principal with name {home} not found", DAV=FEATURES)
    return await _in_home(world, request, asker, home, inside.strip("/"))


def _not_authenticated(request: web.Request) -> web.Response:
    scheme = request.headers.get("Authorization", "").partition(" ")[0].lower()
    basic = WRONG_BASIC if scheme == "basic" else NO_BASIC
    bearer = WRONG_BEARER if scheme == "bearer" else NO_BEARER
    message = f"No public access to this resource., {basic}, {bearer}, {basic}"
    challenge = 'Basic realm="Nextcloud", charset="UTF-8"'
    return error(401, SABRE + "NotAuthenticated", message, **{"WWW-Authenticate": challenge})


async def _in_home(
    world: World, request: web.Request, asker: Asker, home: str, path: str
) -> web.Response:
    own = home == asker.uid
    # Somebody else's home looks like an empty shell: a 207 proves nothing about whose password it
    # was.
    files = world.accounts.home(home) if own else {}
    if own and path and request.method in dav_files.METHODS:
        return await dav_files.answer(world, request, path, files) or _missing(path)
    return _propfind(world, request, home, path, files)


def _missing(path: str) -> web.Response:
    return error(
        404, SABRE + "NotFound", f"File with name {path} could not be located", DAV=FEATURES
    )


def _propfind(
    world: World, request: web.Request, home: str, path: str, files: dict[str, Any]
) -> web.Response:
    if path and path not in files:
        return _missing(path)
    names = [path]
    if request.headers.get("Depth", "1") != "0" and (not path or files[path]["data"] is None):
        prefix = f"{path}/" if path else ""
        inner = [n for n in files if n.startswith(prefix) and n != path]
        names += sorted(n for n in inner if "/" not in n.removeprefix(prefix))
    used = world.accounts.used(home)
    parts = "".join(_entry(home, name, files.get(name), used) for name in names)
    body = (
        '<?xml version="1.0"?>\n<d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" '
        f'xmlns:oc="http://owncloud.org/ns" '
        f'xmlns:nc="http://nextcloud.org/ns">{parts}</d:multistatus>'
    )
    return web.Response(
        status=207, body=body.encode(), headers={"Content-Type": XML, "DAV": FEATURES}
    )


def _entry(home: str, name: str, file: dict[str, Any] | None, used: int) -> str:
    folder = file is None or file["data"] is None
    href = quote(f"/remote.php/dav/files/{home}/{name}")
    if folder and name:
        href += "/"
    when = datetime.fromtimestamp(file["modified"], UTC) if file else datetime.now(UTC)
    modified = format_datetime(when, usegmt=True)
    tag = hashlib.md5(f"{name}{modified}".encode(), usedforsecurity=False).hexdigest()[:13]
    if folder:
        kind = (
            "<d:resourcetype><d:collection/></d:resourcetype>"
            f"<d:quota-used-bytes>{used}</d:quota-used-bytes><d:quota-available-bytes>-3</d:quota-available-bytes>"
        )
    else:
        assert file is not None
        size = len(base64.b64decode(file["data"]))
        kind = f"<d:getcontentlength>{size}</d:getcontentlength><d:resourcetype/>"
    return (
        f"<d:response><d:href>{href}</d:href><d:propstat><d:prop><d:getlastmodified>{modified}</d:getlastmodified>"
        f"{kind}<d:getetag>&quot;{tag}&quot;</d:getetag></d:prop><d:status>HTTP/1.1 200 "
        f"OK</d:status></d:propstat></d:response>"
    )
