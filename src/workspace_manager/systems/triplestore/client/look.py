"""The look at the triplestore, which needs no account for either product."""

from typing import Final

from workspace_manager.contract import looks
from workspace_manager.contract.answer import Answer
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.system import ObservedState
from workspace_manager.systems.triplestore.client.calls import RESULTS
from workspace_manager.systems.triplestore.refusals import GRAPHDB, OPENGDB
from workspace_manager.systems.triplestore.settings import Settings

SYSTEM = "triplestore"
_known: Final[dict[str, str]] = {}
"""The product that last answered at each address, so that a slow server is asked once."""


def look(settings: Settings) -> ObservedState:
    """Read whether GraphDB's security is on, or list OpenGDB's repositories with RDF4J's protocol,
    which shows that RDF4J is running, too (docs/systems/triplestore.md#which-product-it-is). Raises
    the five errors.
    """
    url = settings.url.rstrip("/")
    flavour = settings.flavour if settings.flavour != "auto" else _known.get(url, "")
    http = HttpClient(url, system=SYSTEM, policy=looks.CALLS)
    try:
        if flavour != OPENGDB:
            answer = http.send("GET", "/rest/security", doing=looks.LOOKING, anonymous=True)
            if answer.status == 200 and answer.text.strip().lower() in {"true", "false"}:
                _known[url] = GRAPHDB
                return ObservedState()
            if flavour == GRAPHDB or answer.status != 404:
                _known.pop(url, None)
                raise looks.not_it(answer)
        answer = http.send(
            "GET",
            "/repositories",
            doing=looks.LOOKING,
            headers={"Accept": RESULTS},
            anonymous=True,
        )
    finally:
        http.close()
    if not _lists_repositories(answer):
        _known.pop(url, None)
        raise looks.not_it(answer)
    _known[url] = OPENGDB
    return ObservedState()


def _lists_repositories(answer: Answer) -> bool:
    found = answer.json_or_none()
    head = found.get("head") if isinstance(found, dict) else None
    names = head.get("vars") if isinstance(head, dict) else None
    return answer.status == 200 and isinstance(names, list) and "id" in names
