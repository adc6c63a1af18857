"""Meanings of answers of the ontology editor: one table from status, content type and headers to
the five errors.

The rows follow what was seen (docs/systems/ontology-editor.md). Content types there are wrong, so
bodies decide nothing: a 404 with a `Link` to itself is a missing project, one without it is a wrong
address or an unpatched server.
"""

import re

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, NotFound, Unavailable
from workspace_manager.systems.ontology_editor.messages import message

ADVICE_UNPATCHED = message("lacks_project_interface")
_ADVICE_KEY = message("check_api_key")
_ADVICE_RIGHT = message("key_lacks_right")
_ADVICE_TROUBLE = message("may_have_been_done")
_ADVICE_ADDRESS = message("check_host")

_LINK_TO_ITSELF = re.compile(r"""\brel\s*=\s*["']?self\b""", re.IGNORECASE)
"""The link in the answer about a missing project. A proxy's page may have other links, to its style
or the next page.
"""


def refusal(answer: Answer) -> ConnectorError | None:
    """Return the error of an answer; None for a success. It contains the shape, never the body."""
    status = answer.status
    if 200 <= status < 300:
        return _page(answer) if answer.content_type == "text/html" else None
    if status == 429 or status >= 500:
        return answer.error(
            Unavailable, message("in_trouble", shape=answer.shape), advice=_ADVICE_TROUBLE
        )
    if status == 401:
        return answer.error(Denied, message("key_unknown", shape=answer.shape), advice=_ADVICE_KEY)
    if status == 403:
        return answer.error(
            Denied, message("right_lacking", shape=answer.shape), advice=_ADVICE_RIGHT
        )
    if status == 404:
        return _absent(answer)
    if status == 405:
        return answer.error(
            Invalid, message("call_not_offered", shape=answer.shape), advice=ADVICE_UNPATCHED
        )
    if 300 <= status < 400:
        detail = message("redirected", shape=answer.shape)
        return answer.error(Invalid, detail, advice=_ADVICE_ADDRESS)
    return answer.error(Invalid, message("call_not_understood", shape=answer.shape))


def require(answer: Answer, expected: int) -> Answer:
    """Return the answer if it has the expected status; else raise its error."""
    error = refusal(answer)
    if error is not None:
        raise error
    if answer.status != expected:
        raise _page(answer)
    return answer


def _page(answer: Answer) -> ConnectorError:
    return answer.error(
        Invalid,
        message("answered_something_else", shape=answer.shape),
        advice=_ADVICE_ADDRESS,
    )


def _absent(answer: Answer) -> ConnectorError:
    if _LINK_TO_ITSELF.search(answer.headers.get("link", "")):
        return answer.error(NotFound, message("no_such_project"))
    advice = _ADVICE_ADDRESS
    if "/collaborators/" in answer.path:
        advice = message("lacks_interface_or_address")
    return answer.error(Invalid, message("address_unknown", shape=answer.shape), advice=advice)
