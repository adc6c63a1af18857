"""The look at the ontology editor, which refuses a call without a key."""

from workspace_manager.contract import looks
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.system import ObservedState
from workspace_manager.systems.ontology_editor.client.calls import PROJECTS
from workspace_manager.systems.ontology_editor.settings import Settings

SYSTEM = "ontology_editor"
_PAGE = "HTTP Status 401"


def look(settings: Settings) -> ObservedState:
    """Request the projects without a key. The editor answers 401 with its container's page or with
    none, and names no way to sign in; a proxy in front of it names one
    (docs/systems/ontology-editor.md#keys-and-refusals). Raises the five errors.
    """
    address = (settings.api_base_url or settings.host).rstrip("/")
    http = HttpClient(address, system=SYSTEM, policy=looks.CALLS)
    try:
        answer = http.send("GET", PROJECTS, doing=looks.LOOKING, anonymous=True)
    finally:
        http.close()
    named = "www-authenticate" in answer.headers
    its_own = not answer.content or _PAGE in answer.text
    if answer.status != 401 or named or not its_own:
        raise looks.not_it(answer)
    return ObservedState()
