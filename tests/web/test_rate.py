"""The rate limit lets so many in and not one more: counted exactly, per address of IPv4 and network
of IPv6, believed of nobody but our own proxies.
"""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import RequestFactory

from tests.visitors import Visitor
from workspace_manager.web import proxies, rate

SCRIPT = Path(__file__).parent / "eighty_at_once.py"
ROOT = SCRIPT.parents[2]


@pytest.mark.parametrize("what", ["address", "person"])
@pytest.mark.one_in(2)
def test_of_eighty_at_once_ten_come_through(what: str, tmp_path: Path) -> None:
    """The number an hour for an address, and a minute for a person."""
    environment = {
        **os.environ,
        "WORKSPACE_DATABASE_URL": f"sqlite:///{tmp_path / 'w.sqlite3'}",
        "WORKSPACE_PERSON_RATE": "10",
        "WORKSPACE_SECRET_KEYS": secrets.token_urlsafe(48),
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    for _ in range(2):
        (tmp_path / "w.sqlite3").unlink(missing_ok=True)
        command = [sys.executable, str(SCRIPT), what]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        assert done.stdout.split()[-1] == "10"


@pytest.mark.django_db
def test_refused_tries_cost_nobody_the_next_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    request = RequestFactory().post("/register")
    monkeypatch.setattr("time.time", lambda: 3600.0 * 500_000 + 3599)
    assert [rate.allow(request, "x", limit=2) for _ in range(4)] == [None, None, 1, 1]
    monkeypatch.setattr("time.time", lambda: 3600.0 * 500_001)
    assert rate.allow(request, "x", limit=2) is None
    assert rate.allow(request, "y", limit=1) is None, "each thing is counted for itself"


SAME = [
    ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"),
    ("2001:db8:1:2::1%eth0", "2001:db8:1:2::2"),
    ("::ffff:192.0.2.7", "192.0.2.7"),
    ("::1", "::2"),
]
OTHERS = [
    ("2001:db8:1:2::1", "2001:db8:1:3::1"),
    ("192.0.2.7", "192.0.2.8"),
    ("::ffff:192.0.2.7", "::ffff:192.0.2.8"),
]


def find_counter(address: str) -> str:
    return rate.counted_as(RequestFactory().get("/", REMOTE_ADDR=address))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_network_is_one_visitor(one: str, other: str) -> None:
    assert find_counter(one) == find_counter(other)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_others_are_counted_for_themselves(one: str, other: str) -> None:
    assert find_counter(one) != find_counter(other)


def client_of(settings: LazySettings, ours: list[str], remote: str, forwarded: str) -> str:
    settings.TRUSTED_PROXIES = ours
    told = {"X-Forwarded-For": forwarded} if forwarded else {}
    return proxies.client_address(RequestFactory().get("/", REMOTE_ADDR=remote, headers=told))


@pytest.mark.parametrize(
    ("ours", "remote", "forwarded", "client"),
    [
        ([], "192.0.2.1", "198.51.100.7", "192.0.2.1"),
        (["10.0.0.1"], "192.0.2.1", "198.51.100.7", "192.0.2.1"),
        (["10.0.0.1"], "10.0.0.1", "198.51.100.7", "198.51.100.7"),
        (["10.0.0.1"], "10.0.0.1", "1.2.3.4, 198.51.100.7", "198.51.100.7"),
        (["10.0.0.0/24"], "10.0.0.1", "1.2.3.4, 198.51.100.7, 10.0.0.9", "198.51.100.7"),
        (["10.0.0.0/24"], "10.0.0.1", "10.0.0.9", "10.0.0.9"),
        (["10.0.0.1"], "10.0.0.1", "", "10.0.0.1"),
        (["10.0.0.1"], "10.0.0.1", "unknown", "10.0.0.1"),
        (["10.0.0.1"], "10.0.0.1", "198.51.100.7:1234", "198.51.100.7"),
        (["10.0.0.1"], "10.0.0.1", "[2001:db8::7]:1234", "2001:db8::7"),
        (["10.0.0.1"], "::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"),
        (["fd00::/8"], "fd00::1", "2001:db8::7", "2001:db8::7"),
    ],
)
def test_who_forwarded_is_believed_from_our_proxies_alone(
    settings: LazySettings, ours: list[str], remote: str, forwarded: str, client: str
) -> None:
    assert client_of(settings, ours, remote, forwarded) == client


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("remote", "proto", "redirected"),
    [
        ("10.0.0.1", "https", False),
        ("10.0.0.1", "http", True),
        ("10.0.0.1", "", True),
        ("10.0.0.1", "https, http", True),
        ("10.0.0.1", "https, https", False),
        ("192.0.2.1", "https", True),
    ],
)
def test_that_it_was_https_is_believed_from_our_proxies_alone(
    settings: LazySettings, remote: str, proto: str, redirected: bool
) -> None:
    """Else a request that came in the clear passes for one that did not."""
    settings.TRUSTED_PROXIES = ["10.0.0.1"]
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_SSL_HOST = "workspace.example.org"
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    told = {"X-Forwarded-Proto": proto} if proto else {}
    answer = Visitor().get("/register", REMOTE_ADDR=remote, headers=told)
    assert answer.status_code == (301 if redirected else 200)
    if redirected:
        assert answer["Location"] == "https://workspace.example.org/register"
