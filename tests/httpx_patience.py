"""A pytest plugin: httpx waits for an answer as long as tests wait for anything.

Its own limit is 5 seconds, which a busy machine reaches. A test that is about a time limit passes
its own.
"""

import httpx

from workspace_sandbox.patience import PATIENCE_S

CALLS = (
    httpx.Client.__init__,
    httpx.delete,
    httpx.get,
    httpx.head,
    httpx.options,
    httpx.patch,
    httpx.post,
    httpx.put,
    httpx.request,
)


def pytest_configure() -> None:
    for call in CALLS:
        defaults = call.__kwdefaults__ or {}
        assert "timeout" in defaults, call
        defaults["timeout"] = httpx.Timeout(PATIENCE_S)
