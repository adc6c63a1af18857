"""An example below the help of a command: what somebody would type, not what the grammar allows."""

from typing import Final

PROGRAM: Final = "workspace-manager"


def example(*typed: str) -> str:
    """The end of a command's help. `typed`: what stands behind the program's name."""
    return "\n".join(["\b", "Example:", *(f"  {PROGRAM} {line}" for line in typed)])
