"""Members of the drive's public capabilities."""

from workspace_manager.contract.members import CombinedMember, IgnoredMember, MemberTable

CAPABILITIES = MemberTable(
    "What the drive tells everybody: GET /ocs/v2.php/cloud/capabilities, without a credential",
    (
        CombinedMember(
            path="/capabilities/bruteforce/delay",
            because="Each call of ours waits as long, and soon none is answered.",
            findings=("drive.check_failed_sign_ins",),
        ),
        IgnoredMember(
            path="/capabilities/bruteforce/allow-listed",
            because="Whether our address is never delayed: good, and not needed.",
        ),
        IgnoredMember(path="/capabilities/theming", because="How the drive looks."),
        IgnoredMember(path="/version", because="The version: as in its status."),
    ),
)
