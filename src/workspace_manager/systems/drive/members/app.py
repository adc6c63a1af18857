"""The OpenID Connect app, as the drive's list of apps describes it."""

from workspace_manager.contract.members import Ignored, Judged, MemberTable, ignored

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
        Judged(
            path="/version",
            because="Some versions refuse our tokens, or make no app password for one.",
            findings=("drive.check_oidc_app",),
        ),
        Ignored(
            path="/dependencies",
            because="Which drives it is for: in another it does not start, which its pages show.",
        ),
        *ignored("How the app introduces itself.", *_WORDS),
        *ignored("What the app brings to the drive.", *_PARTS),
    ),
)
