"""Proof that what we do not see is not there (contract, idempotency 3)."""

from workspace_manager.contract.errors import Denied
from workspace_manager.systems.sql_server.client import SYSTEM, Session


def require_rights(session: Session, *, doing: str, kind: str = SYSTEM) -> str:
    """Give our own account; raises Denied when accounts, sessions, databases or grants are not all shown to us.

    Without the right to them, a server shows no session of others, and ends none when told to, and reports success.
    """
    account = session.who().shown
    lacks = session.lacks()
    if lacks:
        raise Denied(
            f"our account {account} cannot {', nor '.join(lack.what for lack in lacks)}",
            kind=kind,
            doing=doing,
            advice="As the server's administrator, run: " + " ".join(lack.remedy for lack in lacks),
        )
    return account
