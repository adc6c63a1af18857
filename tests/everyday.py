"""`make test` is short: of long rows of parameters it takes a sample, and what would be made
anew for every test is made once.
"""

import functools
import gc
import os
import sys
from collections import Counter
from typing import Any

import httpx
import pytest
from django.contrib.contenttypes.management import create_contenttypes
from django.db.models.signals import post_migrate
from httpx._transports import default

# After each test with transactions of its own Django empties the tables and then lists anew every
# kind of record and the four rights of each, which nothing of ours asks for: a sixth of a second.
post_migrate.disconnect(create_contenttypes)
post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")

# What is still open when it is thrown away is no failure here: pyproject.toml ignores it too.
sys.unraisablehook = lambda unraisable: None

# Each of httpx's clients reads anew every authority that a browser knows: thirty milliseconds,
# thousands of times. Tests of certificates bring contexts of their own.
_read_anew = httpx.create_ssl_context


@functools.cache
def _read_once(*named: str | None) -> Any:
    """`named`: what the environment says in place of them, where it is asked."""
    return _read_anew(trust_env=bool(named))


def _context(verify: Any = True, cert: Any = None, trust_env: bool = True) -> Any:
    if verify is True and not cert:
        names = ("SSL_CERT_FILE", "SSL_CERT_DIR") if trust_env else ()
        return _read_once(*(os.environ.get(name) for name in names))
    return _read_anew(verify=verify, cert=cert, trust_env=trust_env)


setattr(default, "create_ssl_context", _context)  # noqa: B010


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test that is `one_in(n)`, `make test` keeps its first parameters and every nth."""
    seen: Counter[str] = Counter()
    for item in items:
        sampled = item.get_closest_marker("one_in")
        if sampled is None or item.get_closest_marker("real"):
            continue
        test = item.nodeid.partition("[")[0]
        if seen[test] % sampled.args[0]:
            item.add_marker(pytest.mark.everything)
        seen[test] += 1


def pytest_collection_finish() -> None:
    """What was collected stays to the end: the collector of garbage need not look at it again."""
    gc.freeze()
