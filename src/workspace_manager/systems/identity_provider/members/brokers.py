"""Members of the other identity providers that people come from: entries of `GET
/admin/realms/{realm}/identity-provider/instances`.
"""

from typing import Final

from workspace_manager.contract.members import MemberTable, ignore_members
from workspace_manager.systems.identity_provider.members.rows import judged_rows

BROKER_TABLE: Final = MemberTable(
    "each brokered provider: GET /admin/realms/{realm}/identity-provider/instances",
    (
        *judged_rows(
            "Whoever another provider lets in becomes a user here, approved by nobody.",
            ("check_broker",),
            *("alias", "enabled", "linkOnly", "types"),
        ),
        *ignore_members("An id; it is known by its alias.", "internalId"),
        *ignore_members(
            "How the provider is spoken to: with a wrong value nobody comes from it.",
            *("providerId", "config"),
        ),
        *ignore_members(
            "It is about people who come from there, which is said whatever they find.",
            *("trustEmail", "storeToken", "addReadTokenRoleOnCreate", "authenticateByDefault"),
            *("updateProfileFirstLoginMode", "updateProfileFirstLogin", "organizationId"),
            *("firstBrokerLoginFlowAlias", "postBrokerLoginFlowAlias"),
        ),
        *ignore_members("How its button looks.", "displayName", "hideOnLogin"),
    ),
)
