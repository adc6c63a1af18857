"""Labels of the container manager and its things: nouns without article, known before anything is
called.
"""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "container manager",
    "container": "container",
    "stack": "containers of a knowledge stack",
    "stack_volumes": "volumes of a knowledge stack",
}
