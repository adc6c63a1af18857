"""Where the content of snapshots lies, as Django's settings have it: a folder, or a bucket."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environs import Env, validate

FOLDER: Final = "workspace-snapshots"
LARGEST_UPLOAD: Final = 2 * 1024**3
OPTIONS: Final = frozenset({"endpoint", "region"})


@dataclass(frozen=True)
class SnapshotsLocation:
    """A folder, or a bucket with the part of it that is ours and the key that opens it. Neither:
    nobody has said where snapshots lie, and none can be created.
    """

    folder: Path | None = None
    bucket: str = ""
    prefix: str = ""
    endpoint: str = ""
    region: str = "us-east-1"
    access_key: str = field(default="", repr=False)
    secret_key: str = field(default="", repr=False)

    @property
    def is_set(self) -> bool:
        return bool(self.folder or self.bucket)

    def address_of(self, place: str) -> str:
        """Return the address below `place` for a tool that copies it; `place` alone while no
        setting says where snapshots lie.
        """
        if self.folder:
            return str(self.folder / place)
        if self.bucket:
            return f"s3://{'/'.join(part for part in (self.bucket, self.prefix, place) if part)}"
        return place


@dataclass(frozen=True)
class SnapshotBounds:
    """The bounds of what one person may keep; 0 bounds nothing."""

    count: int = 0
    bytes: int = 0
    days: int = 0
    """Scheduled snapshots that are older are deleted."""
    read_days: int = 0
    """All of each snapshot is read again after so many days."""
    upload_bytes: int = 0
    """The largest file that somebody may upload."""


def read_settings(
    env: Env, databases: Mapping[str, Mapping[str, Any]]
) -> tuple[SnapshotsLocation, SnapshotBounds]:
    """Where snapshots lie, and how much one person may keep. Raises ImproperlyConfigured."""
    return read_location(env, databases), read_bounds(env)


def read_bounds(env: Env) -> SnapshotBounds:
    """The bounds that the environment says."""
    not_negative = validate.Range(min=0)
    return SnapshotBounds(
        count=env.int("WORKSPACE_SNAPSHOTS_PER_PERSON", 200, validate=not_negative),
        bytes=env.int("WORKSPACE_SNAPSHOTS_BYTES_PER_PERSON", 0, validate=not_negative),
        read_days=env.int("WORKSPACE_SNAPSHOTS_READ_DAYS", 30, validate=not_negative),
        days=env.int("WORKSPACE_SNAPSHOTS_SCHEDULED_DAYS", 0, validate=not_negative),
        upload_bytes=env.int("WORKSPACE_UPLOAD_BYTES", LARGEST_UPLOAD, validate=not_negative),
    )


def read_location(env: Env, databases: Mapping[str, Mapping[str, Any]]) -> SnapshotsLocation:
    """The location that the environment says. Raises ImproperlyConfigured."""
    database, url = databases["default"], env.str("WORKSPACE_SNAPSHOTS_URL", "")
    if not url and not database["ENGINE"].endswith("sqlite3"):
        # Beside a server's database is nowhere; the working folder of a container goes with it.
        return SnapshotsLocation()
    try:
        found = parse_snapshots_url(url, Path(database["NAME"]).absolute().parent)
    except ValueError:
        # The value is not repeated: an address may hold a password.
        raise ImproperlyConfigured(
            "WORKSPACE_SNAPSHOTS_URL cannot be used: write a folder, or "
            "s3://bucket/part?endpoint=https://…&region=…."
        ) from None
    keys = ("WORKSPACE_SNAPSHOTS_ACCESS_KEY", "WORKSPACE_SNAPSHOTS_SECRET_KEY")
    access_key, secret_key = (env.str(name, "") for name in keys)
    if found.bucket and not (access_key and secret_key):
        raise ImproperlyConfigured(f"A bucket is opened by {keys[0]} and {keys[1]}: set both.")
    return replace(found, access_key=access_key, secret_key=secret_key)


def parse_snapshots_url(url: str, beside: Path) -> SnapshotsLocation:
    """`s3://bucket/part?endpoint=https://…&region=…`, `file:///folder`, a folder, or "" for one
    beside the database. Raises ValueError for what is none of these.
    """
    address = urlsplit(url)
    if not url:
        return SnapshotsLocation(folder=beside / FOLDER)
    if address.scheme == "file" and not address.netloc and address.path:
        return SnapshotsLocation(folder=Path(address.path))
    if not address.scheme:
        return SnapshotsLocation(folder=Path(url).absolute())
    options = {name: values[-1] for name, values in parse_qs(address.query).items()}
    endpoint = options.get("endpoint", "")
    if address.scheme != "s3" or not address.hostname or options.keys() - OPTIONS:
        raise ValueError
    if address.password or (endpoint and urlsplit(endpoint).scheme not in {"http", "https"}):
        raise ValueError
    return SnapshotsLocation(
        bucket=address.netloc,
        prefix=address.path.strip("/"),
        endpoint=endpoint.rstrip("/"),
        region=options.get("region", SnapshotsLocation.region),
    )
