"""Rows of several members of which the same is to be said."""

from workspace_manager.contract.members import Ignored, Judged
from workspace_manager.systems.identity_provider.messages import message


def ignored(because: str, *paths: str) -> tuple[Ignored, ...]:
    """Members that do not matter, for one reason."""
    return tuple(Ignored(path=f"/{one}", because=because) for one in paths)


def judged(because: str, findings: tuple[str, ...], *paths: str) -> tuple[Judged, ...]:
    """Members that the same code judges. `findings`: the keys of the findings' names; KeyError for
    one that is none.
    """
    known = tuple(f"{message.name}.{one}" for one in findings if message.english[one])
    return tuple(Judged(path=f"/{one}", because=because, findings=known) for one in paths)
