"""Members of a person's tokens: the value of each, the reason, and the consequence if it is wrong.

A test names each member that is in no table. The tables are about three documents: the access
token, which the drive reads; the ID token, by which the manager lets people in; and what both the
ID token and userinfo tell the manager.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from workspace_manager.contract.connector import Severity


class Document(StrEnum):
    """The document of a member. The value is the code of its label."""

    ACCESS = "doc_access"
    IDENTITY = "doc_identity"
    TOLD = "doc_told"


@dataclass(frozen=True)
class Member:
    """A member. Its value is compared with the expected one of the same name; without an expected
    one it has to exist. `sees` and `remedy`: codes of messages.
    """

    name: str
    document: Document
    severity: Severity
    sees: str
    remedy: str


_FAILING, _WARNING = Severity.FAILING, Severity.WARNING
_ACCESS, _IDENTITY, _TOLD = Document.ACCESS, Document.IDENTITY, Document.TOLD

MEMBERS: Final = (
    Member("sub", _ACCESS, _FAILING, "sees_drive_refuses", "add_basic"),
    Member("iss", _ACCESS, _FAILING, "sees_drive_refuses", "set_hostname_for_all"),
    Member("aud", _ACCESS, _FAILING, "sees_drive_refuses", "run_setup_for_member"),
    Member("azp", _ACCESS, _WARNING, "sees_old_drive_refuses", "look_among_mappers"),
    Member("preferred_username", _ACCESS, _WARNING, "sees_ids_at_drive", "repair_profile"),
    Member("iss", _IDENTITY, _FAILING, "sees_nobody_in", "set_hostname_for_all"),
    Member("aud", _IDENTITY, _FAILING, "sees_nobody_in", "look_among_mappers"),
    Member("azp", _IDENTITY, _FAILING, "sees_nobody_in", "look_among_mappers"),
    Member("sub", _IDENTITY, _FAILING, "sees_another_person", "look_among_mappers"),
    Member("nonce", _IDENTITY, _FAILING, "sees_nobody_in", "look_among_mappers"),
    Member("sid", _IDENTITY, _WARNING, "sees_stays_signed_in", "look_among_mappers"),
    Member("auth_time", _IDENTITY, _WARNING, "sees_asked_again", "add_basic"),
    Member("sub", _TOLD, _FAILING, "sees_another_person", "look_among_mappers"),
    Member("preferred_username", _TOLD, _FAILING, "sees_no_name", "repair_profile"),
    Member("email", _TOLD, _WARNING, "sees_no_address", "repair_email"),
    Member("email_verified", _TOLD, _WARNING, "sees_unconfirmed", "repair_email"),
    Member("given_name", _TOLD, _WARNING, "sees_no_full_name", "repair_profile"),
    Member("family_name", _TOLD, _WARNING, "sees_no_full_name", "repair_profile"),
    Member("locale", _TOLD, _WARNING, "sees_english", "repair_profile"),
)
ELSEWHERE: Final = frozenset(
    ("alg", "typ", "kid", "exp", "iat", "jti", "realm_access", "resource_access")
)
"""Members that have a check of their own (`checks_person_token.py`)."""
DO_NOT_MATTER: Final[Mapping[str, str]] = {
    "acr": "the manager asks for no level of authentication",
    "allowed-origins": "no page of ours calls the provider from a browser",
    "at_hash": "the code flow gives both tokens over one connection",
    "name": "the manager and the drive read the parts of a name, or the user name",
    "scope": "what the scopes bring is looked at itself",
    "session_state": "the same as `sid`, for a check in the browser that nothing makes",
}
"""Members of a new realm's tokens that no system of the workspace reads, and why."""
ADMINISTRATION: Final = "realm-management"
"""The client whose roles administer the realm."""
