"""`python -m tests.attack [FILE]`: attack a running workspace from outside, and say what held.

FILE is the JSON line that `workspace-manager demo --json` prints ("-": standard input); without it
a demo of stand-ins is started for the purpose. Exit code 1 when an attack succeeded.
"""

import argparse
import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pymysql

from tests.attack.attacks import ATTACKS
from tests.attack.scene import Scene
from tests.client_patience import wait_for_minutes
from tests.life.person import Workspace
from workspace_sandbox.demo import Demo

RECHECK = "WORKSPACE_IDENTITY_RECHECK_SECONDS"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("file", nargs="?", help="what the demo printed; none: start one")
    parser.add_argument("--only", default="", help="attacks with this in their name")
    parser.add_argument("--database", default="", help="URL of an empty database for that demo")
    chosen = parser.parse_args()
    wait_for_minutes()
    with _scene(chosen.file, chosen.database) as scene:
        results = [_tried(scene, name) for name in ATTACKS if chosen.only in name]
    return 0 if all(results) else 1


@contextmanager
def _scene(file: str | None, database: str) -> Iterator[Scene]:
    if file:
        text = sys.stdin.read() if file == "-" else Path(file).read_text()
        yield Scene(Workspace(json.loads(text)))
        return
    os.environ.setdefault(RECHECK, "2")
    of_both = ("WORKSPACE_DATABASE_URL", "WORKSPACE_QUEUE_URL") if database else ()
    demo = Demo(port=0, settings=dict.fromkeys(of_both, database))
    try:
        yield Scene(Workspace(demo.start()))
    finally:
        demo.stop()


def _tried(scene: Scene, name: str) -> bool:
    try:
        ATTACKS[name](scene)
    except (AssertionError, httpx.HTTPError, pymysql.MySQLError) as error:
        asserted = traceback.extract_tb(error.__traceback__)[-1].line
        print(f"REFUTED  {name}: {asserted}: {error}", flush=True)
        return False
    print(f"held     {name}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
