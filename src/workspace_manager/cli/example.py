"""Examples below the help of a command."""

from typing import Final

PROGRAM: Final = "workspace-manager"


def example(*typed: str) -> str:
    """Return the end of a command's help. `typed`: arguments after the program's name."""
    return "\n".join(["\b", "Example:", *(f"  {PROGRAM} {line}" for line in typed)])
