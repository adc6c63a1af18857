"""Names the ontology editor uses for itself; people have no account there that could be
looked at.
"""

from workspace_manager.contract.system import OwnNames
from workspace_manager.systems.ontology_editor.names import GUEST
from workspace_manager.systems.ontology_editor.settings import Settings

GUESTS = frozenset(GUEST[start:] for start in range(len(GUEST)))
"""It takes everybody for a guest in whose name "guest" ends."""


SERVICE_PREFIX = "svc-"
"""How accounts for machines are usually called; reserved also where nobody told us ours."""


def own_names(settings: Settings) -> OwnNames:
    """Its guests; and the account our key belongs to: whoever signed in by that name would have its
    rights, and lose them for us with the next membership that ends.
    """
    return OwnNames(GUESTS | {settings.service_account} - {""}, (SERVICE_PREFIX,))
