"""A bucket of its own at the real S3 server of the run: its location, and what the server has in
it.
"""

from pathlib import Path

from workspace_manager.snapshots_settings import SnapshotsLocation
from workspace_sandbox.real.s3proxy import S3Proxy


class S3Bucket:
    """An empty bucket. `folder`: where the server keeps it; `ours`: the part of it that is ours."""

    def __init__(self, server: S3Proxy) -> None:
        assert server.address
        self._address = server.address
        self.folder: Path = server.make_bucket()
        self.ours = self.folder / "ours"

    @property
    def location(self) -> SnapshotsLocation:
        return SnapshotsLocation(
            bucket=self.folder.name,
            prefix=self.ours.name,
            endpoint=self._address.url,
            access_key=self._address.access_key,
            secret_key=self._address.secret_key.reveal(),
        )

    def files(self) -> list[str]:
        """Everything that the server has in it, by the names below our part."""
        files = [one for one in self.folder.rglob("*") if one.is_file()]
        return sorted(str(one.relative_to(self.ours)) for one in files)
