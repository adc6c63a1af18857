"""Members of the required actions of sign-ins: entries of `GET
/admin/realms/{realm}/authentication/required-actions`.
"""

from typing import Final

from workspace_manager.contract.members import MemberTable, ignore_members
from workspace_manager.systems.identity_provider.members.rows import judged_rows

REQUIRED_ACTION_TABLE: Final = MemberTable(
    "each required action: GET /admin/realms/{realm}/authentication/required-actions",
    (
        *judged_rows(
            "With Delete Account people end their own user, and everything else of theirs stays. "
            "Without Update Password a password that an administrator gave stays theirs too.",
            ("check_required_actions",),
            *("alias", "enabled"),
        ),
        *ignore_members(
            "What everybody who is made is asked once, at a first sign-in, is the realm's choice.",
            "defaultAction",
        ),
        *ignore_members("What it is called, and when it is asked.", "name", "priority"),
        *ignore_members("What it is made of; `alias` says which it is.", "providerId", "config"),
    ),
)
