"""What people call the notebook hub and its things: nouns without article, known before anything is
called.
"""

from workspace_manager.contract.message import Catalogue

label = Catalogue(
    "notebook_hub_labels",
    __file__,
    {
        "system": "notebook hub",
        "container": "notebook container",
        "notebook": "Running notebook",
        "no_engine": "the container manager, or an address of the hub’s API",
    },
)
