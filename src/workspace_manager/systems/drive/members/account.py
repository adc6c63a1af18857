"""Members of our own account's document."""

from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    ignore_members,
)

ADMINISTRATOR = ("drive.check_administrator",)
_PROFILE = (
    *("email", "additional_mail", "displayname", "phone", "address", "website", "twitter"),
    *("fediverse", "organisation", "role", "headline", "biography", "profile_enabled", "avatar"),
)
_OF_THE_PROFILE = "What the administrator says of themselves, and whom they show it to."
ACCOUNT = MemberTable(
    "Who we are at the drive: GET /ocs/v2.php/cloud/user",
    (
        CombinedMember(
            path="/id",
            because="An account of somebody else answers, and all that follows is theirs.",
            findings=ADMINISTRATOR,
        ),
        CombinedMember(
            path="/groups",
            because=(
                "Outside the group admin, accounts that we may not see look as if they did not "
                "exist: a removal would be shown as done."
            ),
            findings=ADMINISTRATOR,
        ),
        IgnoredMember(path="/enabled", because="A disabled account gets no answer at all."),
        IgnoredMember(path="/subadmin", because="The group admin is more than every other."),
        IgnoredMember(path="/backend", because="Where the drive keeps the account."),
        IgnoredMember(
            path="/backendCapabilities", because="What that place lets the drive change."
        ),
        IgnoredMember(path="/storageLocation", because="Where the administrator's files lie."),
        IgnoredMember(path="/quota", because="How much room the administrator has."),
        IgnoredMember(path="/lastLogin", because="When the administrator was there last."),
        IgnoredMember(path="/manager", because="Who the administrator works for."),
        IgnoredMember(path="/language", because="The drive answers us in codes."),
        IgnoredMember(path="/locale", because="How dates are shown to the administrator."),
        IgnoredMember(path="/notify_email", because="Where the administrator gets letters."),
        *ignore_members(_OF_THE_PROFILE, "display-name"),
        *ignore_members(_OF_THE_PROFILE, *(one for one in _PROFILE if one != "avatar")),
        *ignore_members(_OF_THE_PROFILE, *(f"{one}Scope" for one in _PROFILE)),
    ),
)
