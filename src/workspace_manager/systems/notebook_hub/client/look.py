"""The look at the hub: whether its API answers, which shows its version to everybody."""

from workspace_manager.contract import looks
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.system import ObservedState
from workspace_manager.systems.notebook_hub.settings import Settings

SYSTEM = "notebook_hub"


def look(settings: Settings) -> ObservedState:
    """Read the version, which needs no token (docs/systems/notebook-hub.md#the-hubs-api). Raises
    the five errors.
    """
    http = HttpClient(settings.hub_api, system=SYSTEM, policy=looks.CALLS)
    try:
        answer = http.send("GET", "/", doing=looks.LOOKING, anonymous=True)
    finally:
        http.close()
    found = answer.json_or_none() if answer.is_json else None
    version = found.get("version") if isinstance(found, dict) else None
    if answer.status != 200 or not isinstance(version, str) or not version:
        raise looks.not_it(answer)
    return ObservedState()
