"""Names the ontology editor uses for itself; people have no account there that could be
looked at.
"""

from workspace_manager.contract.system import OwnNames
from workspace_manager.systems.ontology_editor.names import GUEST
from workspace_manager.systems.ontology_editor.settings import Settings

GUESTS = frozenset(GUEST[start:] for start in range(len(GUEST)))
"""It takes everybody for a guest in whose name "guest" ends."""


def own_names(_settings: Settings) -> OwnNames:
    return OwnNames(GUESTS)
