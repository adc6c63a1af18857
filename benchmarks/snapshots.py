"""`python -m benchmarks.snapshots [--megabytes 2000]`: how long a snapshot of a database takes
beside the bare pipe of the same tools, and how much memory this process needs for it.

Both read the same database of a real server and write through `zstd` into a file; each is run in
turn, and the better of two counts. A snapshot also counts what is there.
"""

import argparse
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from tests.systems.sql_server.place import Place
from tests.systems.sql_server.place_postgresql import PostgreSQLPlace
from workspace_manager.contract.secret import Secret
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


class Pipe:
    """A writer whose parts go through `zstd` into files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open_part(self, name: str) -> "PipedPart":
        return PipedPart(self._folder / name)


class PipedPart:
    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._zstd = subprocess.Popen(
            ["zstd", "-3", "-q"], stdin=subprocess.PIPE, stdout=self._file
        )

    def write(self, data: bytes) -> None:
        pipe: IO[bytes] | None = self._zstd.stdin
        assert pipe
        pipe.write(data)

    def close(self) -> None:
        self._zstd.communicate()
        self._file.close()


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
            settings = Settings(
                flavour=flavour,
                host=where.host,
                port=where.port,
                admin_username=where.admin_username,
                admin_password=where.admin_password,
            )
            yield _line(flavour, settings, megabytes)
        finally:
            server.stop()


def _line(flavour: str, settings: Settings, megabytes: int) -> str:
    place = Place(settings) if flavour == MARIADB else PostgreSQLPlace(settings)
    _fill(place, flavour, megabytes * ROWS_A_MEGABYTE)
    source = snapshots(place.system())
    where = address(settings.host, settings.port, NAME, flavour)
    bare, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            bare.append(seconds(lambda: _pipe(settings, flavour, Path(folder))))
            ours.append(seconds(lambda: source.capture(where, Pipe(Path(folder)))))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    ratio = min(ours) / min(bare)
    return f"{flavour:<12}{megabytes:>6}{min(bare):>9.2f}{min(ours):>12.2f}{ratio:>7.2f}{peak:>9}"


def _fill(place: Place, flavour: str, rows: int) -> None:
    connector = place.system().connectors["sql_server.database"]
    connector.apply(connector.plan({"database": NAME}, {"grantees": []}))
    words = "repeat(md5(n::text), 12)" if flavour == POSTGRESQL else "REPEAT(MD5(seq), 12)"
    number, source = ("n", f"generate_series(1, {rows}) n")
    binary = "sha256(n::text::bytea)"
    if flavour == MARIADB:
        number, source, binary = "seq", f"seq_1_to_{rows}", "UNHEX(SHA2(seq, 256))"
    kinds = "id INT PRIMARY KEY, words TEXT, share DOUBLE PRECISION, proof "
    kinds += "BYTEA" if flavour == POSTGRESQL else "VARBINARY(32)"
    place.run_in(
        NAME,
        f"CREATE TABLE t ({kinds})",
        f"INSERT INTO t SELECT {number}, {words}, {number} / 7.0, {binary} FROM {source}",
        *([f'ALTER TABLE t OWNER TO "{NAME}"'] if flavour == POSTGRESQL else []),
    )


def _pipe(settings: Settings, flavour: str, folder: Path) -> None:
    login = Login(settings, settings.admin_username, settings.admin_password or Secret(""), NAME)
    text = mariadb_file(login) if flavour == MARIADB else postgresql_file(login)
    with private_file(text) as file, (folder / "bare").open("wb") as to:
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
        dump = subprocess.Popen(command, stdout=subprocess.PIPE, pass_fds=[file], env=environment)
        subprocess.run(["zstd", "-3", "-q"], stdin=dump.stdout, stdout=to, check=True)
        if dump.wait():
            raise RuntimeError("the dump failed")


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
