"""Feed a recorded answer to a client: the client sends what it always sends, and gets the recording
back.
"""

from collections.abc import Callable
from typing import Any

import httpx

from tests.recorded.expected_meaning import Meaning
from tests.recorded.reading import Exchange
from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import quote_words

MEANINGS: dict[type[ConnectorError], Meaning] = {
    Unavailable: "unavailable",
    Denied: "denied",
    NotFound: "gone",
    Conflict: "conflict",
    Invalid: "invalid",
}
_OF_THE_WIRE = {"content-length", "transfer-encoding", "content-encoding", "connection"}


def meaning_of(call: Callable[[], Any]) -> Meaning:
    """What a client makes of the answer it gets: which of the five errors, or done. A call that
    gives False found it done already.
    """
    try:
        return "already" if call() is False else "done"
    except ConnectorError as error:
        return MEANINGS[type(error)]


def answer_of(exchange: Exchange, *, kind: str) -> Answer:
    """The recorded answer as the contract's client hands it on. Raises Unavailable when there was
    none.
    """
    if exchange.status is None:
        raise Unavailable(quote_words(exchange.silence), kind=kind, doing=quote_words("asking"))
    headers = httpx.Headers(list(exchange.answer_headers))
    return Answer(
        exchange.method,
        exchange.path,
        exchange.status,
        headers,
        exchange.content,
        kind,
        quote_words("asking"),
    )


def played(exchange: Exchange, *before: tuple[str, int, Any]) -> httpx.MockTransport:
    """A wire at whose end the recording answers. `before`: (path, status, document) of calls that
    the client makes besides.
    """
    first = {path: (status, document) for path, status, document in before}

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path in first and request.url.path != exchange.path:
            status, document = first[request.url.path]
            return httpx.Response(status, json=document)
        if exchange.status is None:
            raise httpx.ReadTimeout(exchange.silence, request=request)
        headers = [(k, v) for k, v in exchange.answer_headers if k not in _OF_THE_WIRE]
        return httpx.Response(exchange.status, headers=headers, content=exchange.content)

    return httpx.MockTransport(handler)
