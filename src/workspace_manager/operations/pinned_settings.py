"""Settings pinned by the environment: `WORKSPACE_<SYSTEM>__<NAME>`, or the file that
`WORKSPACE_<SYSTEM>__<NAME>_FILE` names.
"""

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

FILE = "_FILE"


def pin_name(system: str, name: str) -> str:
    """Return the environment variable of a setting."""
    return f"WORKSPACE_{system.upper()}__{name.upper()}"


def pinned_values(system: str, names: Iterable[str]) -> dict[str, str | None]:
    """Return the settings of a system that the environment pins, itself or by a file; None for one
    whose file cannot be read.

    The file is read each time, so that a replaced secret takes effect at once.
    """
    start = pin_name(system, "")
    found: dict[str, str | None] = {}
    for name in names:
        variable = start + name.upper()
        text, file = os.environ.get(variable), os.environ.get(variable + FILE)
        if text is None and file:
            try:
                found[name] = Path(file).read_text().strip()
            except (OSError, ValueError):
                found[name] = None
        elif text is not None:
            found[name] = text
    return found


def pinned_by(system: str, name: str) -> str | None:
    """Return the variable that pins a setting, if one does."""
    variable = pin_name(system, name)
    if os.environ.get(variable) is not None:
        return variable
    return variable + FILE if os.environ.get(variable + FILE) else None


def misspelt_pins(names: Mapping[str, list[str]]) -> dict[str, tuple[str, str]]:
    """Return variables that look like pins and pin nothing, each with the system and the nearest
    setting.

    `names`: the settings of each system. Without a near setting the variable is reported at the
    system it names, or at the first one.
    """
    right = {pin_name(system, name): system for system, all_ in names.items() for name in all_}
    right |= {variable + FILE: system for variable, system in right.items()}
    found = {}
    for variable in sorted(os.environ):
        if variable.startswith("WORKSPACE_") and "__" in variable and variable not in right:
            found[variable] = _meant(variable.upper(), right, names)
    return found


def _meant(variable: str, right: Mapping[str, str], systems: Iterable[str]) -> tuple[str, str]:
    """Return the intended setting; if the system's name is right, only its settings count."""
    for system in systems:
        start = pin_name(system, "")
        if variable.startswith(start):
            ends = [one.removeprefix(start) for one, whose in right.items() if whose == system]
            near = get_close_matches(variable.removeprefix(start), ends, n=1)
            return system, start + near[0] if near else ""
    near = get_close_matches(variable, right, n=1, cutoff=0.7)
    return (right[near[0]], near[0]) if near else (next(iter(systems)), "")
