"""Rows of members that name their findings by message keys."""

from workspace_manager.contract import members
from workspace_manager.contract.members import CombinedMember
from workspace_manager.systems.identity_provider.messages import message


def judged_rows(because: str, findings: tuple[str, ...], *names: str) -> tuple[CombinedMember, ...]:
    """Return members that the same code judges. `findings`: keys of the findings' names. Raises
    KeyError for an unknown one.
    """
    known = tuple(message.code(one) for one in findings if message.english[one])
    return members.combine_members(because, known, *names)
