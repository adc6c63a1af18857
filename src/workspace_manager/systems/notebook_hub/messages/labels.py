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
        "the files of a notebook stay: the manager removes no volume, and an administrator removes "
        "it in the container manager"
    ),
    "notebook": "Running notebook",
    "goes_on": (
        "Notebook hub: every server of the person is stopped, before and after the identity "
        "provider locks the person out. The person's files stay. A hub without authentication "
        "state does not ask the identity provider at a start: its cookie could start the notebook "
        "again until the cookie ends."
    ),
    "all_servers": (
        "Notebook hub: every server of {user} that the hub lists is stopped, also named ones, and "
        "every container that the hub made for {user}. The plan lists each as soon as it is found."
    ),
    "no_engine": "the container manager, or an address of the hub’s API",
    "step.stop_notebook": "Stop the notebook",
    "step.stop_notebook.ended": "No notebook of this person is running.",
    "step.stop_notebook_again": "Check that no notebook was started in the meantime",
    "step.stop_notebook_again.ended": "No notebook of this person is running.",
    # What a change does, before the label of its thing.
    "action.start": "Start",
    "action.stop": "Stop",
}
