"""`python -m benchmarks.snapshots [--megabytes 2000]`: how long a snapshot of a database takes
beside the bare pipe of the same tools, and how much memory this process needs for it.

Both read the same database of a real server. The pipe writes through `zstd` and `age` into a file;
the snapshot goes into a folder store. Each is run in turn, and the better of two counts. A snapshot
also counts what is there.
"""

import argparse
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from django.conf import settings

from tests.systems.sql_server.database_server import DatabaseServer
from tests.systems.sql_server.database_server_postgresql import PostgreSQLServer
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.snapshots import SnapshotSource
from workspace_manager.snapshots.store.keys import make_key
from workspace_manager.snapshots.store.objects import open_store
from workspace_manager.snapshots.store.snapshot_writer import SnapshotWriter
from workspace_manager.snapshots_settings import SnapshotsLocation
from workspace_manager.systems.sql_server.client.login import (
    Login,
    mariadb_file,
    path_of,
    postgresql_environment,
    postgresql_file,
    private_file,
)
from workspace_manager.systems.sql_server.names import address
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL, Settings
from workspace_manager.systems.sql_server.snapshots import snapshots
from workspace_manager.systems.sql_server.snapshots.mariadb_tools import DUMPED
from workspace_sandbox.real import mariadb, postgresql

NAME = "ws_bench"
ROWS_A_MEGABYTE = 2_000
"""Each row has about 500 bytes: words, numbers and a little that is binary."""


class PackedFile:
    """A file that is written through `zstd` and `age`, as the bare pipe of a backup does."""

    def __init__(self, path: Path) -> None:
        identity = subprocess.run(["age-keygen"], capture_output=True, text=True, check=True)
        recipient = next(
            line.split(": ")[1] for line in identity.stdout.splitlines() if "public key" in line
        )
        self._zstd = subprocess.Popen(
            ["zstd", "-3", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with path.open("wb") as to:
            self._age = subprocess.Popen(
                ["age", "--recipient", recipient], stdin=self._zstd.stdout, stdout=to
            )
        assert self._zstd.stdin
        assert self._zstd.stdout
        self._zstd.stdout.close()
        self.input: IO[bytes] = self._zstd.stdin

    def close(self) -> None:
        self.input.close()
        if self._zstd.wait() or self._age.wait():
            raise RuntimeError("zstd or age failed")


def capture(source: SnapshotSource, address: str, folder: Path) -> None:
    """Make a whole snapshot in a store of its own: compressed, encrypted, counted."""
    store = open_store(SnapshotsLocation(folder=folder / "store"))
    with SnapshotWriter(store, make_key()) as writer:
        writer.finish(source.capture(address, writer).model_dump(mode="json"))


def compare(bare: Callable[[Path], None], ours: Callable[[Path], None]) -> str:
    """Run each in turn, twice; give the better seconds of each, their ratio and the peak of this
    process in megabytes.
    """
    if not settings.configured:
        settings.configure(SECRET_KEYS=["of-a-benchmark"])
    took: dict[Callable[[Path], None], list[float]] = {bare: [], ours: []}
    for _ in range(2):
        for work, found in took.items():
            with tempfile.TemporaryDirectory() as folder:
                begun = time.perf_counter()
                work(Path(folder))
                found.append(time.perf_counter() - begun)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    pipe, snapshot = min(took[bare]), min(took[ours])
    return f"{pipe:>9.2f}{snapshot:>12.2f}{snapshot / pipe:>7.2f}{peak:>9}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=50)
    chosen = parser.parse_args()
    print(f"{'server':<12}{'MB':>6}{'pipe s':>9}{'snapshot s':>12}{'ratio':>7}{'peak MB':>9}")
    for line in _measured(chosen.megabytes):
        print(line, flush=True)


def _measured(megabytes: int) -> Iterator[str]:
    for flavour, part in ((MARIADB, mariadb), (POSTGRESQL, postgresql)):
        if part.why_not():
            yield f"{flavour:<12} not here: {part.why_not()}"
            continue
        server = mariadb.MariaDB() if flavour == MARIADB else postgresql.PostgreSQL()
        where = server.start()
        try:
            reached = Settings(
                flavour=flavour,
                host=where.host,
                port=where.port,
                admin_username=where.admin_username,
                admin_password=where.admin_password,
            )
            yield _line(flavour, reached, megabytes)
        finally:
            server.stop()


def _line(flavour: str, server: Settings, megabytes: int) -> str:
    database = DatabaseServer(server) if flavour == MARIADB else PostgreSQLServer(server)
    _fill(database, flavour, megabytes * ROWS_A_MEGABYTE)
    source = snapshots(database.system())
    where = address(server.host, server.port, NAME, flavour)
    compared = compare(
        lambda folder: _pipe(server, flavour, folder),
        lambda folder: capture(source, where, folder),
    )
    return f"{flavour:<12}{megabytes:>6}{compared}"


def _fill(server: DatabaseServer, flavour: str, rows: int) -> None:
    connector = server.system().connectors["sql_server.database"]
    connector.apply(connector.plan({"database": NAME}, {"grantees": []}))
    words = "repeat(md5(n::text), 12)" if flavour == POSTGRESQL else "REPEAT(MD5(seq), 12)"
    number, source = ("n", f"generate_series(1, {rows}) n")
    binary = "sha256(n::text::bytea)"
    if flavour == MARIADB:
        number, source, binary = "seq", f"seq_1_to_{rows}", "UNHEX(SHA2(seq, 256))"
    kinds = "id INT PRIMARY KEY, words TEXT, share DOUBLE PRECISION, proof "
    kinds += "BYTEA" if flavour == POSTGRESQL else "VARBINARY(32)"
    server.run_in(
        NAME,
        f"CREATE TABLE t ({kinds})",
        f"INSERT INTO t SELECT {number}, {words}, {number} / 7.0, {binary} FROM {source}",
        *([f'ALTER TABLE t OWNER TO "{NAME}"'] if flavour == POSTGRESQL else []),
    )


def _pipe(server: Settings, flavour: str, folder: Path) -> None:
    login = Login(server, server.admin_username, server.admin_password or Secret(""), NAME)
    text = mariadb_file(login) if flavour == MARIADB else postgresql_file(login)
    with private_file(text) as file:
        command = ["pg_dump", "--format=custom", "--compress=0"]
        environment = None
        if flavour == MARIADB:
            command = ["mariadb-dump", f"--defaults-file={path_of(file)}", *DUMPED, NAME]
        else:
            environment = {
                **postgresql_environment(login),
                "PGPASSFILE": path_of(file),
                "PATH": "/usr/bin:/bin",
            }
        packed = PackedFile(folder / "bare")
        subprocess.run(command, stdout=packed.input, pass_fds=[file], env=environment, check=True)
        packed.close()


if __name__ == "__main__":
    main()
