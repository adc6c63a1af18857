"""Proof that what we do not see does not exist.

See docs/explanation/connectors.md#absence-has-to-be-proven.
"""

from collections.abc import Sequence

from workspace_manager.contract.errors import Denied
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server.client import SYSTEM, Session
from workspace_manager.systems.sql_server.messages import message


def require_rights(session: Session, *, doing: Message, kind: str = SYSTEM) -> str:
    """Return our own account. Raises Denied unless accounts, sessions, databases and grants are all
    shown to us.

    Without the right to sessions, a server shows no session of others, ends none, and reports
    success.
    """
    account = session.own_account().shown
    lacks = session.missing_rights()
    if lacks:
        raise Denied(
            message("account_lacks", account=account, what=_nor([lack.what for lack in lacks])),
            kind=kind,
            doing=doing,
            advice=message(
                "run_as_administrator", statements=" ".join(one.remedy for one in lacks)
            ),
        )
    return account


def _nor(lacks: Sequence[Message]) -> Message:
    first, *rest = lacks
    return message("nor", first=first, rest=_nor(rest)) if rest else first
