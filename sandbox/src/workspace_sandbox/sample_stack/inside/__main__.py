"""Run the web part: `python3 -m workspace_sandbox.sample_stack.inside`. It listens at
`WEB_ADDRESS:WEB_PORT`, and ends when it is asked to.
"""

import os
import signal
import socketserver
import sys
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from workspace_sandbox.sample_stack.inside.values import read_values
from workspace_sandbox.sample_stack.inside.web import Web


class Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class QuietRequestHandler(WSGIRequestHandler):
    """A handler that logs nothing: addresses may contain a code of a sign-in."""

    timeout = 30

    def log_message(self, *_what: Any) -> None:
        return

    def address_string(self) -> str:
        return str(self.client_address[0])


def main() -> None:
    """Read the environment, listen, and answer until SIGTERM."""
    try:
        web = Web(read_values(os.environ))
    except KeyError as missing:
        sys.exit(f"not told: {missing}")
    address = os.environ.get("WEB_ADDRESS", "0.0.0.0")
    port = int(os.environ.get("WEB_PORT") or "8080")
    server = make_server(address, port, web, server_class=Server, handler_class=QuietRequestHandler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with server:
        server.serve_forever()


if __name__ == "__main__":
    main()
