"""The editor's answers: Jackson's JSON, Tomcat's error pages, and the page for
everything it did not foresee.
"""

import html
import json
import secrets
from typing import Any

from aiohttp import web

HTML = "text/html;charset=utf-8"
UNFORESEEN = "text/html;charset=UTF-8"
DESCRIPTIONS = {
    400: (
        "Bad Request",
        "The server cannot or will not process the request due to something that is "
        "perceived to be a client error (e.g., malformed "
        "request syntax, invalid request message framing, or deceptive request routing).",
    ),
    401: (
        "Unauthorized",
        (
            "The request has not been applied to the target resource because it lacks valid "
            "authentication credentials for that resource."
        ),
    ),
    404: (
        "Not Found",
        (
            "The origin server did not find a current representation for the target resource "
            "or is not willing to disclose that one exists."
        ),
    ),
    405: (
        "Method Not Allowed",
        (
            "The method received in the request-line is known by the origin server but not "
            "supported by the target resource."
        ),
    ),
    406: (
        "Not Acceptable",
        "The target resource does not have a current representation that would be "
        "acceptable to the user agent, according to the "
        "proactive negotiation header fields received in the request, and the server is "
        "unwilling to supply a default representation.",
    ),
    415: (
        "Unsupported Media Type",
        "The origin server is refusing to service the request because the payload is in "
        "a format not supported by this method on the "
        "target resource.",
    ),
}
SOURCE = "(org.glassfish.jersey.message.internal.ReaderInterceptorExecutor$UnCloseableInputStream)"


def container_page(
    status: int, message: str = "", *, headers: dict[str, str] | None = None
) -> web.Response:
    """Answer as Tomcat does when the application said nothing itself."""
    reason, description = DESCRIPTIONS[status]
    body = (
        f'<!doctype html><html lang="en"><head><title>HTTP Status {status} – '
        f"{reason}</title></head>"
        f'<body><h1>HTTP Status {status} – {reason}</h1><hr class="line" '
        f"/><p><b>Type</b> Status Report</p>"
        f"<p><b>Message</b> {message or reason}</p><p><b>Description</b> {description}</p>"
        f'<hr class="line" /><h3>Apache Tomcat/8.5.100</h3></body></html>'
    )
    extra = {"Content-Type": HTML, "Content-Language": "en", **(headers or {})}
    return web.Response(status=status, body=body.encode(), headers=extra)


def not_available(path: str) -> web.Response:
    """Answer for an address that no servlet knows."""
    shown = html.escape(path).replace("/", "&#47;")
    return container_page(404, f"The requested resource [{shown}] is not available")


def unforeseen(said: str) -> web.Response:
    """Answer any uncaught error: the page that says the editor did not start, even when it did."""
    body = (
        "\n\n\n\n\n<html>\n<head>\n    <title>WebProtege Configuration "
        "Error</title>\n</head>\n<body>\n"
        "    <h1>WebProtege Initialization Error</h1>\n"
        "    <p>An error occurred during the initialization of WebProtege which "
        "prevented WebProtege from starting.\n    </p>\n"
        f"    <h2>Error Message</h2>\n    <div>\n        "
        f"<pre>{html.escape(said)}</pre>\n    </div>\n</body>\n</html>\n"
    )
    cookie = f"JSESSIONID={secrets.token_hex(16).upper()}; Path=/; HttpOnly"
    headers = {"Content-Type": UNFORESEEN, "Set-Cookie": cookie, "Connection": "close"}
    return web.Response(status=500, body=body.encode(), headers=headers)


def document(
    found: Any, *, status: int = 200, headers: dict[str, str] | None = None
) -> web.Response:
    """Answer JSON as Jackson prints it."""
    extra = {"Content-Type": "application/json", **(headers or {})}
    return web.Response(status=status, body=jackson(found).encode(), headers=extra)


def answer_error(status: int, message: str) -> web.Response:
    """Answer with the editor's own error body."""
    reason = {400: "Bad Request", 403: "Forbidden"}[status]
    return document(
        {"links": {}, "code": status, "reason": reason, "message": message}, status=status
    )


def mapping_error(said: str, column: int, chain: str = "") -> web.Response:
    """Answer a body that could not be read, as Jackson's exception mapper does: plain text, and the
    connection ends.
    """
    body = f"{said}\n at [Source: {SOURCE}; line: 1, column: {column}]{chain}"
    headers = {"Content-Type": "text/plain", "Connection": "close"}
    return web.Response(status=400, body=body.encode(), headers=headers)


def jackson(value: Any, indent: str = "") -> str:
    """Print as Jackson's default printer: members on lines of their own, array elements not."""
    if isinstance(value, dict):
        if not value:
            return "{ }"
        deeper = indent + "  "
        members = [f"{deeper}{_text(key)} : {jackson(one, deeper)}" for key, one in value.items()]
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, list):
        return f"[ {', '.join(jackson(one, indent) for one in value)} ]" if value else "[ ]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(value: str) -> str:
    """Quote a string: what lies above U+FFFF is written as two escapes in capitals."""
    written = json.dumps(value, ensure_ascii=False)
    units = (
        c if ord(c) <= 0xFFFF else "".join(f"\\u{part:04X}" for part in _surrogates(c))
        for c in written
    )
    return "".join(units)


def _surrogates(character: str) -> tuple[int, int]:
    raw = character.encode("utf-16-be")
    return int.from_bytes(raw[:2], "big"), int.from_bytes(raw[2:], "big")
