"""A shell file for another terminal that talks to a running demo."""

import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def script(environment: Mapping[str, str], systems: Mapping[str, Mapping[str, Any]]) -> str:
    """Lines that a shell reads with `. FILE`: the environment of the demo's processes, the folder
    of the command, and where each stand-in is told to misbehave (`STAND_IN_<SYSTEM>`).
    """
    return "".join(f"{line}\n" for line in _lines(environment, systems))


def _lines(
    environment: Mapping[str, str], systems: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    # Not resolved: the interpreter of a virtual environment is a link out of it.
    yield f'export PATH={shlex.quote(str(Path(sys.executable).parent))}:"$PATH"'
    for name, value in environment.items():
        yield f"export {name}={shlex.quote(value)}"
    for name, system in systems.items():
        if address := system.get("control_url"):
            yield f"export STAND_IN_{name.upper()}={shlex.quote(str(address))}"
