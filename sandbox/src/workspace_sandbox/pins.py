"""Settings in the environment of systems that we do not start."""

import os
from typing import Any


def variable(system: str, name: str = "") -> str:
    """Return the variable that pins a setting; without a name, the prefix of the system's
    variables.
    """
    return f"WORKSPACE_{system}__{name}".upper()


def any_of(system: str) -> bool:
    """Return whether any setting of a system is pinned."""
    return any(name.startswith(variable(system)) for name in os.environ)


def read_settings(system: str, address: str, *names: str) -> dict[str, Any]:
    """Return the pinned settings of a system; {} without its address."""
    if not os.environ.get(variable(system, address)):
        return {}
    values = {name: os.environ.get(variable(system, name), "") for name in (address, *names)}
    numbers = {n: int(values[n]) for n in ("port", "environment_id") if values.get(n, "").isdigit()}
    return {**values, **numbers, "part": "pinned"}
