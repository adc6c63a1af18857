"""The health of a stack: a request to the address that people use, without credentials, with a
short time limit.
"""

import contextlib
from typing import Final
from urllib.parse import urljoin, urlsplit

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.client.connection import SYSTEM
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import STACK_KIND

CALLS: Final = CallPolicy(connect_s=3, answer_s=10)
MOST_BYTES: Final = 256_000
_REDIRECTS: Final = 3
_REDIRECT: Final = frozenset({301, 302, 303, 307, 308})


def health_trouble(url: str, text: str) -> Message | None:
    """Return why a stack is not healthy; None if its address answers with a success that contains
    the text. Redirects within its own origin are followed.

    Any failure means "not yet": the stack's program is none that we know.
    """
    origin = _origin(url)
    for _ in range(_REDIRECTS + 1):
        if _origin(url) != origin:
            return message("answers_redirect")
        try:
            answer = _get(url)
        except ConnectorError:
            return message("answers_nothing")
        if answer.status not in _REDIRECT:
            break
        url = urljoin(url, answer.headers.get("location", ""))
    if not 200 <= answer.status < 300:
        return message("answers_status", status=answer.status)
    if text not in answer.text:
        return message("answers_without_text", text=text)
    return None


def _get(url: str) -> Answer:
    parts = urlsplit(url)
    client = HttpClient(_origin(url), system=SYSTEM, policy=CALLS)
    with contextlib.closing(client):
        return client.send(
            "GET",
            (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
            doing=message("asking_stack"),
            kind=STACK_KIND,
            headers={"Accept": "*/*"},
            anonymous=True,
            most=MOST_BYTES,
        )


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
