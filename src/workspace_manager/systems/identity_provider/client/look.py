"""The look at our realm, as everybody sees it."""

from urllib.parse import quote, urlsplit

from workspace_manager.contract import looks
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.system import ObservedState
from workspace_manager.systems.identity_provider.client.closed_realm import closed_realm
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.settings import Settings


def look(settings: Settings) -> ObservedState:
    """Read the discovery document of our realm. Its issuer must end with our realm; its host is the
    public one, which may differ from the one we call (the check compares them). Raises the five
    errors.
    """
    realm = f"/realms/{quote(settings.realm, safe='')}"
    http = HttpClient(settings.url + realm, system=SYSTEM, policy=looks.CALLS)
    try:
        answer = http.send(
            "GET", "/.well-known/openid-configuration", doing=looks.LOOKING, anonymous=True
        )
    finally:
        http.close()
    found = answer.json_or_none()
    said = found if isinstance(found, dict) else {}
    if answer.status == 404 and said.get("error") == "Realm does not exist":
        raise looks.not_it(answer, detail=message("no_such_realm", realm=settings.realm))
    if closed := closed_realm(answer, settings.realm):
        raise closed
    if answer.status != 200 or not isinstance(said.get("issuer"), str):
        raise looks.not_it(answer)
    if not urlsplit(said["issuer"]).path.endswith(realm):
        raise looks.not_it(answer, detail=message("another_realm"))
    return ObservedState()
