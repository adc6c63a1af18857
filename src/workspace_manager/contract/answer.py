"""A complete answer of a system: decoded on demand, and turned into one of the five errors."""

import json
import time
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote

import httpx

from workspace_manager.contract.errors import Conflict, ConnectorError, Invalid, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.storable import storable, storable_json

SOMETHING_ELSE = message("something_else_answers")
ESCAPE = "\\u"
"""How JSON writes a character that it cannot have as it is."""


@dataclass(frozen=True)
class Answer:
    """A complete answer. `content` stays here: errors made of it name its shape only."""

    method: str
    path: str
    status: int
    headers: httpx.Headers = field(repr=False)
    content: bytes = field(repr=False)
    kind: str
    doing: Message

    @property
    def content_type(self) -> str:
        return str(self.headers.get("content-type", "")).partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", errors="replace")

    @property
    def is_json(self) -> bool:
        return self.content_type == "application/json" or self.content_type.endswith("+json")

    @property
    def shape(self) -> Message:
        """Status, content type and length: all that may be shown of an answer nobody understood."""
        status, size = self.status, len(self.content)
        if kind := self.content_type:
            return message("shape", status=status, type=kind, size=size)
        return message("shape_untyped", status=status, size=size)

    def json(self) -> Any:
        """Decode a JSON body, of which every text can be kept. Raises Invalid when it is labelled
        otherwise or does not parse.
        """
        if not self.is_json:
            raise self.error(Invalid, message("not_json", shape=self.shape), advice=SOMETHING_ELSE)
        try:
            return self._decoded()
        except (ValueError, RecursionError) as wrong:
            raise self.error(
                Invalid, message("json_does_not_parse", shape=self.shape), advice=SOMETHING_ELSE
            ) from wrong

    def json_or_none(self) -> Any:
        """Decode a JSON body if that is what it is; for error bodies, whose content types lie on
        some systems.
        """
        try:
            return self._decoded()
        except (ValueError, RecursionError):
            return None

    def _decoded(self) -> Any:
        # As `json` reads bytes, which lets every half of a character through.
        text = self.content.decode(json.detect_encoding(self.content), "surrogatepass")
        found = json.loads(text)
        # Most answers have neither, and a large one is gone through in no time.
        return storable_json(found) if ESCAPE in text or storable(text) != text else found

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait by the Retry-After header (RFC 9110, 10.2.3), either form; at most one
        day.
        """
        value = self.headers.get("retry-after", "")
        if value.isascii() and value.isdigit():
            # Python refuses to read more than 4300 digits.
            return float(min(int(value[:9]), 86_400))
        try:
            return (
                min(max(0.0, parsedate_to_datetime(value).timestamp() - time.time()), 86_400.0)
                if value
                else None
            )
        except (ValueError, TypeError, OverflowError):
            return None

    def error(
        self,
        reaction: type[ConnectorError],
        detail: Message,
        *,
        advice: Message | None = None,
        retry_after: float | None = None,
    ) -> ConnectorError:
        """Make the error for this answer; the caller raises it."""
        return reaction(
            detail,
            kind=self.kind,
            doing=self.doing,
            advice=advice,
            retry_after=retry_after if retry_after is not None else self.retry_after,
        )

    def raise_for_transient(self) -> None:
        """Raise what means the same everywhere: 429 and 5xx are "not now", a redirect is never an
        answer.
        """
        if self.status == 429 or self.status >= 500:
            raise self.error(
                Unavailable,
                message("answered", shape=self.shape),
                advice=message("overloaded"),
            )
        if 300 <= self.status < 400 and self.status != 304:
            raise self.error(
                Invalid,
                message("redirected", shape=self.shape),
                advice=SOMETHING_ELSE,
            )


def segment(value: str, *, kind: str, doing: Message) -> str:
    """Quote one path segment. Raises Conflict for a value that no path can carry safely (empty,
    dots only, slash, control).
    """
    if (
        not value
        or value in {".", ".."}
        or "/" in value
        or "\\" in value
        or any(ord(c) < 32 for c in value)
    ):
        raise Conflict(
            message("name_not_addressable"),
            kind=kind,
            doing=doing,
            advice=message("remove_by_hand"),
        )
    return quote(value, safe="")
