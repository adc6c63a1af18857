"""Labels of the notebook hub and its things: nouns without article, known before anything is
called.
"""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "notebook hub",
    "container": "notebook container",
    "volume": "volume of notebooks",
    "volume_not_removed": (
        "the files of a notebook stay: nothing here removes a volume, and who has it removed "
        "decides that at the container manager"
    ),
    "notebook": "Running notebook",
    "goes_on": (
        "Notebook hub: every server of the person is stopped before and after the person is "
        "locked out at the identity provider; its files stay. A hub that keeps no "
        "authentication state does not ask the identity provider at a start: there its cookie "
        "could start the notebook again until it ends."
    ),
    "all_servers": (
        "Notebook hub: every server of {user} that the hub lists is stopped, named ones too, "
        "and every container that shows that the hub made it for {user}. Each is named once "
        "it was seen."
    ),
    "no_engine": "the container manager, or an address of the hub’s API",
    "step.stop_notebook": "Stop the notebook",
    "step.stop_notebook.ended": "No notebook of this person is running.",
    "step.stop_notebook_again": "Check that no notebook was started in the meantime",
    "step.stop_notebook_again.ended": "No notebook of this person is running.",
}
