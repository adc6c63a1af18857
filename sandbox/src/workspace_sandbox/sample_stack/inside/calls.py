"""HTTP calls of the web part: bounded, never redirected, and never with a body in what they say."""

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

TIMEOUT_S: Final = 5.0
MOST: Final = 1_000_000


class Failed(Exception):
    """A needed system did not do what it was asked; the text may be shown."""


@dataclass(frozen=True)
class Answer:
    status: int
    text: str

    def document(self) -> dict[str, Any]:
        """Return a JSON object. Raises Failed for anything else."""
        try:
            found = json.loads(self.text)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Failed("an answer was no JSON object")
        return found


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follow no redirect: a credential goes only to the given address."""

    def redirect_request(self, *_what: Any, **_more: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay())


def send(
    method: str, url: str, *, headers: Mapping[str, str] | None = None, body: bytes | None = None
) -> Answer:
    """Send one call. Raises Failed if nothing answers."""
    if not url.startswith(("http://", "https://")):
        raise Failed("an address is neither http nor https")
    request = urllib.request.Request(url, body, dict(headers or {}), method=method)
    try:
        with _OPENER.open(request, timeout=TIMEOUT_S) as answer:
            return Answer(answer.status, answer.read(MOST).decode("utf-8", "replace"))
    except urllib.error.HTTPError as refused:
        with refused:
            return Answer(refused.code, "")
    except (OSError, ValueError) as wrong:
        raise Failed(f"nothing answers ({type(wrong).__name__})") from wrong


def basic(user: str, password: str) -> dict[str, str]:
    text = base64.b64encode(f"{user}:{password}".encode()).decode()
    return {"Authorization": f"Basic {text}"}
