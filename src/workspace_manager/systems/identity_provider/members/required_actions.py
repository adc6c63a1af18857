"""What people can be asked to do when they sign in: each entry of
`GET /admin/realms/{realm}/authentication/required-actions`.
"""

from typing import Final

from workspace_manager.contract.members import MemberTable, ignored
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
        *ignored(
            "What everybody who is made is asked once, at a first sign-in, is the realm's choice.",
            "defaultAction",
        ),
        *ignored("What it is called, and when it is asked.", "name", "priority"),
        *ignored("What it is made of; `alias` says which it is.", "providerId", "config"),
    ),
)
