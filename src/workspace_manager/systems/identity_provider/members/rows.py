"""Rows of members whose findings are named by the keys of their names."""

from workspace_manager.contract import members
from workspace_manager.contract.members import CombinedMember
from workspace_manager.systems.identity_provider.messages import message


def judged_rows(because: str, findings: tuple[str, ...], *names: str) -> tuple[CombinedMember, ...]:
    """Members that the same code judges. `findings`: the keys of the findings' names; KeyError for
    one that is none.
    """
    known = tuple(message.code(one) for one in findings if message.english[one])
    return members.combine_members(because, known, *names)
