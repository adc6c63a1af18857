"""What the environment says of systems that are not ours to start."""

import os
from typing import Any


def variable(system: str, name: str = "") -> str:
    """What pins a setting; without a name, what all of that system's begin with."""
    return f"WORKSPACE_{system}__{name}".upper()


def any_of(system: str) -> bool:
    """Whether it says anything of a system."""
    return any(name.startswith(variable(system)) for name in os.environ)


def told(system: str, address: str, *names: str) -> dict[str, Any]:
    """What it says of a system; {} when it does not say where that is."""
    if not os.environ.get(variable(system, address)):
        return {}
    values = {name: os.environ.get(variable(system, name), "") for name in (address, *names)}
    numbers = {n: int(values[n]) for n in ("port", "environment_id") if values.get(n, "").isdigit()}
    return {**values, **numbers, "part": "pinned"}
