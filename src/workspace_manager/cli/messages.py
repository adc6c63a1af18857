"""Messages of the command line."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "cli",
    __file__,
    {
        "earlier_version": (
            "This database was created by an earlier version. Start again with --fresh, or with "
            "an empty database if no demo created it."
        ),
    },
)
