"""Run a sandbox until told to stop: `python -m workspace_sandbox --data DIR --manager-url URL
[--real]`.

Prints one JSON line when every system answers. Knows no Django: it starts fast and shares nothing
with the manager but addresses.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from workspace_sandbox.world import World


def main() -> int:
    """The command line of the sandbox process."""
    parser = argparse.ArgumentParser(prog="workspace_sandbox", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--manager-url", required=True)
    parser.add_argument("--real", action="store_true")
    parser.add_argument(
        "--only", action="append", default=[], metavar="PART",
        help="of the real parts, none but this (may be repeated)",
    )  # fmt: skip
    parser.add_argument(
        "--ready", type=Path, help="write the line to this file instead of standard output"
    )
    given = parser.parse_args()
    only = frozenset(given.only)
    world = World(given.data, given.manager_url, real=given.real, only=only)
    asyncio.run(serve(world, given.ready))
    return 0


async def serve(world: World, ready: Path | None = None) -> None:
    """Run until SIGTERM or SIGINT. `ready`: the file for the line, instead of standard output."""
    # Files of stand-ins belong to their owner alone. Real parts partly run as other accounts, which
    # have to read what is made for them; then the folder around everything is closed.
    os.umask(0o022 if world.real else 0o077)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    try:
        await world.start()
        line = {
            "ready": True,
            "systems": world.systems,
            "environment": world.environment,
            "notes": world.notes,
        }
        tell(json.dumps(line), ready)
        await ended.wait()
    finally:
        await world.stop()


def tell(line: str, file: Path | None) -> None:
    """Print the line, or write it to a file that appears under its name only when it is
    complete.
    """
    if file is None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        return
    draft = file.with_suffix(".new")
    draft.touch(mode=0o600)
    draft.write_text(line)
    draft.rename(file)


if __name__ == "__main__":
    sys.exit(main())
