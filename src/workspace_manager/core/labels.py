"""What people call our own records, where they stand beside those of the systems."""

from workspace_manager.contract.message import Catalogue

label = Catalogue(
    "core_labels",
    __file__,
    {
        "records": "records",
        "snapshot": "snapshot",
        "component": "component",
        "stack": "stack",
        "project": "project",
        "service_key": "service key",
        "manager": "Workspace manager",
        "as_person": "Check as a person",
    },
)
