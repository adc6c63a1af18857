"""The conversion of an ASGI request into a WSGI environment (PEP 3333)."""

import sys
from typing import Any, Final, Protocol, TypeAlias
from urllib.parse import unquote_to_bytes

Scope: TypeAlias = dict[str, Any]
Environ: TypeAlias = dict[str, Any]

_UNPREFIXED: Final = {"content-length": "CONTENT_LENGTH", "content-type": "CONTENT_TYPE"}


class Readable(Protocol):
    """A body, which is there or arrives."""

    def read(self, size: int = -1, /) -> bytes: ...


def environ_of(scope: Scope, body: Readable) -> Environ:
    """Return the environment of a request with this body."""
    host, port = scope["server"]
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in _headers(scope):
        between = "; " if name == "HTTP_COOKIE" else ","
        environ[name] = f"{environ[name]}{between}{value}" if name in environ else value
    return environ


def _headers(scope: Scope) -> list[tuple[str, str]]:
    """Return the headers by their WSGI names. A name with an underscore is left out: in WSGI,
    `X_Forwarded_For` would look like `X-Forwarded-For`, which only a proxy may send.
    """
    named = ((name.decode("latin-1").lower(), value) for name, value in scope["headers"])
    return [
        (_UNPREFIXED.get(name, f"HTTP_{name.upper().replace('-', '_')}"), value.decode("latin-1"))
        for name, value in named
        if "_" not in name
    ]
