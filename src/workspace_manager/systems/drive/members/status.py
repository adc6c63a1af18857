"""Members of `status.php`, which shows whether the drive is ready."""

from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    RequiredMember,
)
from workspace_manager.systems.drive.messages import message

NAME = message("check_reachable")
STATUS = MemberTable(
    "Whether the drive is ready: GET /status.php",
    (
        RequiredMember(
            path="/maintenance",
            because="Everybody is shown a page that says so, and every call is refused.",
            values=(False, None),
            name=NAME,
            found=message("in_maintenance_page"),
            remedy=message("finish_maintenance"),
        ),
        RequiredMember(
            path="/needsDbUpgrade",
            because="Everybody is shown a page that says so, and every call is refused.",
            values=(False, None),
            name=NAME,
            found=message("needs_upgrade"),
            remedy=message("finish_maintenance"),
        ),
        RequiredMember(
            path="/installed",
            because="There is nothing to sign in to.",
            values=(True,),
            name=NAME,
            found=message("not_installed"),
            remedy=message("install_it"),
        ),
        CombinedMember(
            path="/versionstring",
            because="Which settings it reads: older ones count failed sign-ins in another way.",
            findings=(NAME.code, "drive.check_configuration"),
        ),
        IgnoredMember(
            path="/version", because="The version once more, with a number of its build."
        ),
        IgnoredMember(path="/edition", because="Which edition of the program was bought."),
        IgnoredMember(path="/productname", because="What the owner of the drive calls it."),
        IgnoredMember(path="/extendedSupport", because="Whether support was bought."),
    ),
)
