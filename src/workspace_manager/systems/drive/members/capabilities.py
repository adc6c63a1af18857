"""What the drive says of itself to whoever asks: its public capabilities."""

from workspace_manager.contract.members import Ignored, Judged, MemberTable

CAPABILITIES = MemberTable(
    "What the drive tells everybody: GET /ocs/v2.php/cloud/capabilities, without a credential",
    (
        Judged(
            path="/capabilities/bruteforce/delay",
            because="Each call of ours waits as long, and soon none is answered.",
            findings=("drive.check_failed_sign_ins",),
        ),
        Ignored(
            path="/capabilities/bruteforce/allow-listed",
            because="Whether our address is never delayed: good, and not needed.",
        ),
        Ignored(path="/capabilities/theming", because="How the drive looks."),
        Ignored(path="/version", because="The version: as in its status."),
    ),
)
