"""Settings that the environment pins: by `WORKSPACE_<SYSTEM>__<NAME>`, or by the file that
`WORKSPACE_<SYSTEM>__<NAME>_FILE` names.
"""

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

FILE = "_FILE"


def pin_name(system: str, name: str) -> str:
    """The environment variable that pins one setting."""
    return f"WORKSPACE_{system.upper()}__{name.upper()}"


def pinned_value(system: str, name: str) -> str | None:
    """What the environment says of one setting, itself or by a file; None when it says nothing.
    Raises OSError and ValueError.

    The file is read each time: a secret that was exchanged there is used from then on.
    """
    text = os.environ.get(pin_name(system, name))
    file = os.environ.get(pin_name(system, name) + FILE)
    return Path(file).read_text().strip() if text is None and file else text


def pinned_by(system: str, name: str) -> str | None:
    """The variable that pins one setting, if any does."""
    variable = pin_name(system, name)
    if os.environ.get(variable) is not None:
        return variable
    return variable + FILE if os.environ.get(variable + FILE) else None


def misspelt_pins(names: Mapping[str, list[str]]) -> dict[str, tuple[str, str]]:
    """Variables that look like pins and pin nothing: each with the system and the right name that
    comes nearest.

    `names`: the settings of each system. What is near to none is told of the system it names, else
    of the first, without a name.
    """
    right = {pin_name(system, name): system for system, all_ in names.items() for name in all_}
    right |= {variable + FILE: system for variable, system in right.items()}
    found = {}
    for variable in sorted(os.environ):
        if variable.startswith("WORKSPACE_") and "__" in variable and variable not in right:
            found[variable] = _meant(variable.upper(), right, names)
    return found


def _meant(variable: str, right: Mapping[str, str], systems: Iterable[str]) -> tuple[str, str]:
    """Where the system is named rightly, its settings alone come into question."""
    for system in systems:
        start = pin_name(system, "")
        if variable.startswith(start):
            ends = [one.removeprefix(start) for one, whose in right.items() if whose == system]
            near = get_close_matches(variable.removeprefix(start), ends, n=1)
            return system, start + near[0] if near else ""
    near = get_close_matches(variable, right, n=1, cutoff=0.7)
    return (right[near[0]], near[0]) if near else (next(iter(systems)), "")
