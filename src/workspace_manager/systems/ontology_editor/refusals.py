"""What an answer of the ontology editor means: one table from (status, content type, headers) to the five errors.

Rows follow the facts (ontology editor 3.0 to 3.5). Content types lie there, so bodies decide nothing: a 404 with a `Link` to itself is
a missing project, one without it is a wrong address or an unpatched server.
"""

import re

from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, NotFound, Unavailable
from workspace_manager.contract.http import Answer

ADVICE_UNPATCHED = "This server lacks the project interface: deleting projects and changing members needs WebProtégé with the project-API patch."
_ADVICE_KEY = (
    "Check the API key in the settings. Its account needs the role ProjectCreator, and must not be called guest, uest, est, st or t: "
    "the editor takes those for guests."
)
_ADVICE_RIGHT = (
    "The key is known, but its account lacks the right: for creating it needs the role ProjectCreator, for deleting and sharing it must "
    "have made the project itself or manage it."
)
_ADVICE_TROUBLE = (
    "It may have been done all the same. If every address shows an 'Initialization Error', the editor was started while its database "
    "was away: restart the editor."
)
_ADVICE_ADDRESS = (
    "Check host and API base URL in the settings: /data/projects must hang directly below."
)

_LINK_TO_ITSELF = re.compile(r"""\brel\s*=\s*["']?self\b""", re.IGNORECASE)
"""What a missing project's answer carries. A proxy's page may have links too, to its style or the next page."""


def refusal(answer: Answer) -> ConnectorError | None:
    """Say which error an answer is, None when the call did what it was asked. Keeps the shape, never the body."""
    status = answer.status
    if 200 <= status < 300:
        return _page(answer) if answer.content_type == "text/html" else None
    if status == 429 or status >= 500:
        return answer.error(
            Unavailable, f"it is in trouble ({answer.shape})", advice=_ADVICE_TROUBLE
        )
    if status == 401:
        return answer.error(
            Denied, f"it does not know our key ({answer.shape})", advice=_ADVICE_KEY
        )
    if status == 403:
        return answer.error(
            Denied, f"our key lacks the right ({answer.shape})", advice=_ADVICE_RIGHT
        )
    if status == 404:
        return _absent(answer)
    if status == 405:
        return answer.error(
            Invalid, f"it does not offer this call ({answer.shape})", advice=ADVICE_UNPATCHED
        )
    if 300 <= status < 400:
        detail = f"it answered with a redirect ({answer.shape})"
        return answer.error(Invalid, detail, advice=_ADVICE_ADDRESS)
    return answer.error(Invalid, f"it did not understand the call ({answer.shape})")


def require(answer: Answer, expected: int) -> Answer:
    """Give the answer back when it has the expected status; raise what it means otherwise."""
    error = refusal(answer)
    if error is not None:
        raise error
    if answer.status != expected:
        raise _page(answer)
    return answer


def _page(answer: Answer) -> ConnectorError:
    return answer.error(
        Invalid,
        f"it answered something else than was asked ({answer.shape})",
        advice=_ADVICE_ADDRESS,
    )


def _absent(answer: Answer) -> ConnectorError:
    if _LINK_TO_ITSELF.search(answer.headers.get("link", "")):
        return answer.error(NotFound, "there is no such project")
    advice = _ADVICE_ADDRESS
    if "/collaborators/" in answer.path:
        advice = f"{ADVICE_UNPATCHED} {_ADVICE_ADDRESS}"
    return answer.error(Invalid, f"this address is unknown there ({answer.shape})", advice=advice)
