"""What people call the container manager and its things: nouns without article, known before
anything is called.
"""

from workspace_manager.contract.message import Catalogue

label = Catalogue(
    "container_manager_labels",
    __file__,
    {
        "system": "container manager",
        "container": "container",
        "stack": "containers of a knowledge stack",
        "stack_volumes": "volumes of a knowledge stack",
    },
)
