"""The look at Portainer, or at an engine without it."""

from workspace_manager.contract import looks
from workspace_manager.contract.answer import Answer
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.system import ObservedState
from workspace_manager.systems.container_manager.client.connection import SYSTEM
from workspace_manager.systems.container_manager.settings import Settings


def look(settings: Settings) -> ObservedState:
    """Return whether Portainer's status, or the engine's ping, answers; neither needs a key. Only a
    key shows whether the engine behind Portainer is gone. Raises the five errors.
    """
    address = settings.url.replace("docker://", "http://", 1)
    http = HttpClient(address, system=SYSTEM, policy=looks.CALLS)
    path = "/_ping" if settings.direct else "/api/status"
    try:
        answer = http.send("GET", path, doing=looks.LOOKING, anonymous=True)
    finally:
        http.close()
    known = _is_engine(answer) if settings.direct else _is_portainer(answer)
    if answer.status != 200 or not known:
        raise looks.not_it(answer)
    return ObservedState()


def _is_engine(answer: Answer) -> bool:
    return answer.text.strip() == "OK" and bool(answer.headers.get("api-version"))


def _is_portainer(answer: Answer) -> bool:
    found = answer.json_or_none() if answer.is_json else None
    return isinstance(found, dict) and {"Version", "InstanceID"} <= found.keys()
