"""Members of the OpenID Connect app in the drive's list of apps."""

from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    ignore_members,
)

_WORDS = (
    *("id", "name", "summary", "description", "licence", "author", "namespace", "types"),
    *("category", "website", "bugs", "repository"),
)
_PARTS = (
    *("settings", "background-jobs", "commands", "info", "remote", "public", "repair-steps"),
    *("two-factor-providers", "activity"),
)
APP = MemberTable(
    "The OpenID Connect app: GET /ocs/v2.php/cloud/apps/user_oidc",
    (
        CombinedMember(
            path="/version",
            because="Some versions refuse our tokens, or make no app password for one.",
            findings=("drive.check_oidc_app",),
        ),
        IgnoredMember(
            path="/dependencies",
            because="Which drives it is for: in another it does not start, which its pages show.",
        ),
        *ignore_members("How the app introduces itself.", *_WORDS),
        *ignore_members("What the app brings to the drive.", *_PARTS),
    ),
)
