"""What the command line says by code, in English."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "cli",
    __file__,
    {
        "earlier_version": (
            "This database was made by an earlier version: begin anew with --fresh, "
            "or with an empty database where no demo made it."
        ),
    },
)
