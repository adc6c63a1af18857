"""Members of the user profile: `GET /admin/realms/{realm}/users/profile`."""

from typing import Final

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.members import MemberTable, RequiredMember, ignore_members
from workspace_manager.systems.identity_provider.members.rows import judged_rows
from workspace_manager.systems.identity_provider.messages import message

PROFILE_TABLE: Final = MemberTable(
    "the user profile: GET /admin/realms/{realm}/users/profile",
    (
        RequiredMember(
            path="/unmanagedAttributePolicy",
            because="People give themselves attributes that other systems believe.",
            values=(None, "ADMIN_EDIT", "ADMIN_VIEW"),
            name=message("check_undeclared_attributes"),
            found=message("any_attribute"),
            remedy=message("set_unmanaged"),
            severity=Severity.WARNING,
        ),
        *judged_rows(
            "What is written to an attribute that is not declared is lost, without a word.",
            ("check_attributes_declared",),
            "attributes/*/name",
        ),
        *judged_rows(
            "What people may edit they can claim; what an administrator may not edit is lost.",
            ("check_attributes_private", "check_attributes_written"),
            "attributes/*/permissions",
        ),
        *judged_rows(
            "Who breaks a rule can be neither approved nor locked.",
            ("check_profile_rules",),
            *("attributes/*/validations", "attributes/*/required"),
        ),
        *ignore_members(
            "It is shown to people when they fill in a form.",
            *("attributes/*/displayName", "attributes/*/annotations", "attributes/*/group"),
            *("attributes/*/defaultValue", "groups"),
        ),
        *ignore_members(
            "The manager writes one value, which is kept either way.", "attributes/*/multivalued"
        ),
        *ignore_members(
            "It decides when people are asked; what an administrator writes is kept all the same.",
            "attributes/*/selector",
        ),
    ),
)
