"""A pytest plugin: httpx and PyMySQL wait for an answer as long as tests wait for anything.

Their own limits are 5 and 10 seconds, which a busy machine reaches. A test that is about a time
limit passes its own. A program that uses modules of the tests calls `wait_for_minutes()` itself.
"""

import httpx
import pymysql

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
    wait_for_minutes()


def wait_for_minutes() -> None:
    """Set the time limit of calls that name none, in this process."""
    for call in CALLS:
        defaults = call.__kwdefaults__ or {}
        assert "timeout" in defaults, call
        defaults["timeout"] = httpx.Timeout(PATIENCE_S)
    defaults = pymysql.Connection.__init__.__kwdefaults__ or {}
    assert "connect_timeout" in defaults
    defaults["connect_timeout"] = PATIENCE_S
