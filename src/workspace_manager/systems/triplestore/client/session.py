"""Signed-in calls of the triplestore, and the detection of its product.

A refused token is dropped, and the call is made once more with a fresh one: a token ends with its
user and outlives the password (docs/systems/triplestore.md#opengdb-signing-in). Nothing else is
tried twice.
"""

import contextlib
import hashlib
import threading
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

from workspace_manager.contract import slots
from workspace_manager.contract.answer import Answer
from workspace_manager.contract.answer_stream import AnswerStream
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.http import MAX_ANSWER_BYTES, Basic, Credential, HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.refusals import GRAPHDB, OPENGDB, refusal, require
from workspace_manager.systems.triplestore.settings import Settings

CALLS: Final = CallPolicy(connect_s=5, answer_s=30)
"""OpenGDB asks a stalled RDF4J four times, for five seconds each, before it answers 500; less than
20 s would cut that short.
"""

_tokens: dict[tuple[str, str, str], Secret] = {}
_tokens_lock = threading.Lock()


class Session:
    """A session at one triplestore as its administrator. Creating it makes no call."""

    def __init__(self, settings: Settings, *, policy: CallPolicy = CALLS) -> None:
        self.url = settings.url.rstrip("/")
        self.username = settings.admin_username
        self._password = settings.admin_password or Secret("", name="admin_password")
        self._http = HttpClient(self.url, system="triplestore", policy=policy)
        self._flavour = "" if settings.flavour == "auto" else settings.flavour

    # --- which product ----------------------------------------------------------------------------

    def flavour(self) -> str:
        """Return the product, asked once: GET /rest/security is a boolean on GraphDB and unknown to
        OpenGDB.

        See docs/systems/triplestore.md#which-product-it-is.
        """
        if not self._flavour:
            doing = message("asking_product")
            with slots.on_behalf_of_all(f"{self.url} product", kind="triplestore", doing=doing):
                self._flavour = self._flavour or self.detect()
        return self._flavour

    def detect(self) -> str:
        """Ask the server for its product. Raises Invalid if it is neither."""
        answer = self._http.send(
            "GET", "/rest/security", doing=message("asking_product"), anonymous=True
        )
        if answer.status == 200 and answer.text.strip().lower() in {"true", "false"}:
            return GRAPHDB
        if answer.status == 404 and not answer.is_json:
            return OPENGDB
        error = refusal(answer)
        if error is not None:
            raise error
        raise answer.error(
            Invalid,
            message("neither_product", shape=answer.shape),
            advice=message("set_product"),
        )

    # --- sending ----------------------------------------------------------------------------------

    def send(
        self,
        method: str,
        path: str,
        *,
        kind: str,
        doing: Message,
        body: Any = None,
        accept: str = "application/json",
        anonymous: bool = False,
        params: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
        most: int = MAX_ANSWER_BYTES,
    ) -> Answer:
        """Send a call, signed in unless it is `anonymous`."""

        def send(credential: Credential) -> Answer:
            return self._http.send(
                method,
                path,
                kind=kind,
                doing=doing,
                json_body=body,
                form=form,
                most=most,
                headers={"Accept": accept},
                params=params,
                credential=credential,
                anonymous=anonymous,
            )

        credential = None if anonymous else self._credential(doing)
        answer = send(credential)
        if answer.status == 401 and isinstance(credential, Token):
            self._drop(credential.secret)
            answer = send(self._credential(doing))
        return answer

    @contextlib.contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        kind: str,
        doing: Message,
        headers: Mapping[str, str],
        params: Mapping[str, str] | None = None,
        content: bytes | IO[bytes] | None = None,
    ) -> Iterator[AnswerStream]:
        """Send a call, and yield an answer of any size while it arrives."""
        credential = self._credential(doing)
        for second in (False, True):
            if not isinstance(content, bytes | None):
                content.seek(0)
            sent = self._http.stream(
                *(method, path),
                kind=kind,
                doing=doing,
                headers=headers,
                params=params,
                content=content,
                credential=credential,
            )
            with sent as found:
                old = found.answer.status == 401 and isinstance(credential, Token)
                if second or not old:
                    yield found
                    return
            assert isinstance(credential, Token)
            self._drop(credential.secret)
            credential = self._credential(doing)

    def _credential(self, doing: Message) -> Credential:
        """Return the token, which takes the server 10 ms where a password takes a second, or Basic
        if there are no tokens.
        """
        basic = Basic(self.username, self._password)
        # OpenGDB strips blanks from a name before it issues a token
        # (docs/systems/triplestore.md#opengdb-signing-in).
        if self.flavour() == GRAPHDB or self.username != self.username.strip():
            return basic
        key = self._key()
        with _tokens_lock:
            known = _tokens.get(key)
        if known is None:
            known = self._fetch_token(doing)
            if known is None:
                return basic
            with _tokens_lock:
                _tokens[key] = known
        return Token("Authorization", known, scheme="Token")

    def _fetch_token(self, doing: Message) -> Secret | None:
        """Request a token with a form, because JSON is not read there. Return None if the server
        has no such address (docs/systems/triplestore.md#opengdb-signing-in).
        """
        answer = self._http.send(
            "POST",
            "/api-token-auth/",
            doing=message("signing_in", doing=doing),
            form={"username": self.username, "password": self._password.reveal()},
            anonymous=True,
        )
        if answer.status in {404, 405}:
            return None
        found = require(answer, 200).json()
        token = found.get("token") if isinstance(found, dict) else None
        if not isinstance(token, str) or not token:
            raise answer.error(Invalid, message("no_token"))
        return Secret(token, name="triplestore token")

    def _drop(self, token: Secret) -> None:
        with _tokens_lock:
            if _tokens.get(self._key()) == token:
                del _tokens[self._key()]

    def _key(self) -> tuple[str, str, str]:
        digest = hashlib.sha256(self._password.reveal().encode()).hexdigest()
        return (self.url, self.username, digest)
