"""The drive's client: every call over the wire, and the meaning of its answers
(`ocs.understand`).
"""

from workspace_manager.systems.drive.client.calls import ACCOUNT, DELETE_S, DriveClient
from workspace_manager.systems.drive.client.credential_owner import (
    APP_PASSWORD,
    Account,
    DescribedAccount,
)
from workspace_manager.systems.drive.client.guard import PROCESS_REFUSALS
from workspace_manager.systems.drive.client.login_flow import Flow
from workspace_manager.systems.drive.client.ocs import Envelope, open_envelope, understand
from workspace_manager.systems.drive.client.shares import Shares
from workspace_manager.systems.drive.client.sign_in import SignIn
from workspace_manager.systems.drive.client.token_session import TokenSession

__all__ = [
    "ACCOUNT",
    "APP_PASSWORD",
    "DELETE_S",
    "PROCESS_REFUSALS",
    "Account",
    "DescribedAccount",
    "DriveClient",
    "Envelope",
    "Flow",
    "Shares",
    "SignIn",
    "TokenSession",
    "open_envelope",
    "understand",
]
