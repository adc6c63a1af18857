"""Where snapshots lie, as the environment says it."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from environs import Env

from workspace_manager.snapshots_settings import (
    SnapshotsLocation,
    parse_snapshots_url,
    read_location,
)

BESIDE = Path("/var/lib/workspace")
SQLITE = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(BESIDE / "db.sqlite3")}}
POSTGRESQL = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "workspace"}}


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("", SnapshotsLocation(folder=BESIDE / "workspace-snapshots")),
        ("/srv/kept", SnapshotsLocation(folder=Path("/srv/kept"))),
        ("kept", SnapshotsLocation(folder=Path.cwd() / "kept")),
        ("file:///srv/kept", SnapshotsLocation(folder=Path("/srv/kept"))),
        ("s3://kept", SnapshotsLocation(bucket="kept")),
        ("s3://kept/a/b/", SnapshotsLocation(bucket="kept", prefix="a/b")),
        (
            "s3://kept?endpoint=https://s3.example.org/&region=eu-1",
            SnapshotsLocation(bucket="kept", endpoint="https://s3.example.org", region="eu-1"),
        ),
    ],
)
def test_a_location_is_read(url: str, location: SnapshotsLocation) -> None:
    assert parse_snapshots_url(url, BESIDE) == location


@pytest.mark.parametrize(
    ("location", "address"),
    [
        (SnapshotsLocation(folder=Path("/srv/kept")), "/srv/kept/9f3c"),
        (SnapshotsLocation(bucket="kept"), "s3://kept/9f3c"),
        (SnapshotsLocation(bucket="kept", prefix="a/b"), "s3://kept/a/b/9f3c"),
        (SnapshotsLocation(), "9f3c"),
    ],
)
def test_what_lies_there_has_an_address(location: SnapshotsLocation, address: str) -> None:
    assert location.address_of("9f3c") == address


@pytest.mark.parametrize(
    "url",
    [
        *("s3://", "s3:///part", "ftp://kept", "file://host/kept", "file://"),
        *("s3://key:secret@kept", "s3://kept?endpoint=kept.example.org", "s3://kept?acl=public"),
    ],
)
def test_what_is_no_location_is_refused_and_not_repeated(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKSPACE_SNAPSHOTS_URL", url)
    with pytest.raises(ImproperlyConfigured, match="write a folder, or s3://bucket") as refused:
        read_location(Env(), SQLITE)
    assert "secret" not in str(refused.value)


def test_it_lies_beside_the_database_by_itself() -> None:
    assert read_location(Env(), SQLITE).folder == BESIDE / "workspace-snapshots"
    assert read_location(Env(), SQLITE).is_set


def test_beside_the_database_of_a_server_is_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not read_location(Env(), POSTGRESQL).is_set
    monkeypatch.setenv("WORKSPACE_SNAPSHOTS_URL", "/srv/kept")
    assert read_location(Env(), POSTGRESQL).folder == Path("/srv/kept")


def test_a_bucket_needs_both_of_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_SNAPSHOTS_URL", "s3://kept")
    monkeypatch.setenv("WORKSPACE_SNAPSHOTS_ACCESS_KEY", "name")
    with pytest.raises(ImproperlyConfigured, match="set both"):
        read_location(Env(), SQLITE)
    monkeypatch.setenv("WORKSPACE_SNAPSHOTS_SECRET_KEY", "very secret")
    found = read_location(Env(), SQLITE)
    assert (found.access_key, found.secret_key) == ("name", "very secret")
    assert "very secret" not in repr(found)
