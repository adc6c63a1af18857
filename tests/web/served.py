"""The front before an application that has a page and an answer without an end, in the server that
`serve` starts: `python -m tests.web.served PORT`. Run by test_slow_visitors.py.
"""

import sys
from collections.abc import Iterable
from itertools import repeat
from typing import Any

import workspace_manager.bootstrap  # noqa: F401  sets Django up
from workspace_manager.cli.run_parts import serve_web
from workspace_manager.web.admission_control import AdmissionControl, Limits


def pages(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/long":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return repeat(b"x" * 65_536)
    start_response("200 OK", [("Content-Length", "4")])
    return [b"page"]


application = AdmissionControl(pages, Limits(visitor_s=3600))

if __name__ == "__main__":
    serve_web("tests.web.served:application", "127.0.0.1", int(sys.argv[1]), workers=1)
