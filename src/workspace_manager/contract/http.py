"""The one HTTP client: cookies refused, redirects off, size capped before and after decoding,
content type checked before reading, credentials never logged.

Every rule here was learnt on a real system: a kept cookie ran a call as another person (drive), a
followed redirect turned a DELETE into a login page with status 200 (triplestore), and an early
error ignored `Accept` (drive).
"""

import contextlib
import functools
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import IO, Any, TypeAlias

import httpx

from workspace_manager.contract import body as bodies
from workspace_manager.contract import failure_reports, slots, wait_hooks
from workspace_manager.contract.answer import Answer
from workspace_manager.contract.answer_stream import (
    IDLE_S,
    LONGEST_S,
    NO_COMPRESSION,
    AnswerStream,
    read_pieces,
)
from workspace_manager.contract.call_errors import translate_errors, unavailable
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.deadline import seconds_left, time_limit
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.wire import Transport

MAX_ANSWER_BYTES = 5_000_000
USER_AGENT = "workspace-manager"


@dataclass(frozen=True)
class Basic:
    """HTTP Basic (RFC 7617). A colon in the user name cannot be expressed there."""

    username: str
    password: Secret


@dataclass(frozen=True)
class Token:
    """A credential in one header: `Token("Authorization", secret, scheme="Bearer")`."""

    header: str
    secret: Secret
    scheme: str = ""


Credential: TypeAlias = Basic | Token | None


class _NoCookies(DefaultCookiePolicy):
    def set_ok(self, _cookie: Any, _request: Any) -> bool:
        return False

    def return_ok(self, _cookie: Any, _request: Any) -> bool:
        return False


@functools.cache
def trust_context() -> ssl.SSLContext:
    """Whom to trust: the authorities that browsers trust, and those of this machine (also
    `SSL_CERT_FILE`). Read once for all clients: it takes longer than many a call.
    """
    found = httpx.create_ssl_context(trust_env=False)
    found.load_default_certs()
    return found


class HttpClient:
    """Send one request and give back one complete answer. Never loops, never follows, never
    remembers.

    `base_url`: `http(s)://…`, or `unix:///path.sock`. `system`: for the `kind` of errors when a
    call names none. `public_only`: for an address that somebody typed who shall not reach what is
    around us; Invalid when it is on this machine or in a private network.
    """

    def __init__(
        self,
        base_url: str,
        *,
        system: str,
        policy: CallPolicy | None = None,
        credential: Credential = None,
        headers: Mapping[str, str] | None = None,
        transport: httpx.BaseTransport | None = None,
        public_only: bool = False,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.system = system
        self.policy = policy or CallPolicy()
        self.credential = credential
        socket_file = base_url.removeprefix("unix://") if base_url.startswith("unix://") else None
        if socket_file:
            self.base_url = "http://localhost"
        self._client = httpx.Client(
            cookies=CookieJar(policy=_NoCookies()),
            follow_redirects=False,
            trust_env=False,
            headers={
                "User-Agent": USER_AGENT,
                "Accept": "application/json",
                "Accept-Encoding": bodies.ACCEPTED,
                **(headers or {}),
            },
            timeout=httpx.Timeout(self.policy.answer_s, connect=self.policy.connect_s),
            transport=transport
            or Transport(verify=trust_context(), uds=socket_file, public_only=public_only),
        )

    def close(self) -> None:
        """Let go of connections that were kept for a next call."""
        self._client.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        doing: Message,
        kind: str = "",
        params: Mapping[str, str] | None = None,
        json_body: Any = None,
        form: Mapping[str, str] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        credential: Credential = None,
        anonymous: bool = False,
        answer_s: float | None = None,
        most: int = MAX_ANSWER_BYTES,
    ) -> Answer:
        """Send it. `path`: quoted (`segment`); `answer_s`: seconds to the last byte; `most`: bytes.
        Raises Unavailable for no, a late or a cut answer, Invalid for one that is unreadable.
        """
        kind = kind or self.system
        with self._asked(
            *(method, path, kind, doing),
            credential=None if anonymous else (credential or self.credential),
            answer_s=answer_s,
            params=dict(params) if params else None,
            json=json_body,
            data=dict(form) if form is not None else None,
            content=content,
            headers=dict(headers or {}),
        ) as response:
            body = self._read(response, kind=kind, doing=doing, most=most)
        return Answer(method, path, response.status_code, response.headers, body, kind, doing)

    def send_for_status(
        self,
        method: str,
        path: str,
        *,
        doing: Message,
        content: bytes,
        headers: Mapping[str, str],
        most: int,
    ) -> int:
        """Send it, and give the status alone, which is said before the body: whatever is wrong with
        that changes nothing. So many bytes are taken, so that nobody is cut off while he speaks.
        Raises as `send`, where no status was said.
        """
        with self._asked(
            *(method, path, self.system, doing),
            credential=self.credential,
            content=content,
            headers=dict(headers),
        ) as response:
            with contextlib.suppress(httpx.HTTPError):
                taken = 0
                for piece in response.stream:  # type: ignore[union-attr]
                    taken += len(piece)
                    if taken > most:
                        break
            return response.status_code

    @contextlib.contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        doing: Message,
        kind: str = "",
        params: Mapping[str, str] | None = None,
        json_body: Any = None,
        content: bytes | IO[bytes] | Iterator[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        credential: Credential = None,
        idle_s: float = IDLE_S,
    ) -> Iterator[AnswerStream]:
        """Send it, and give an answer of any size as it comes. `content` may be an open file, whose
        length is said first, or come in pieces; `idle_s`: seconds without a byte. Raises as `send`.
        """
        kind = kind or self.system
        with self._asked(
            *(method, path, kind, doing),
            credential=credential or self.credential,
            answer_s=LONGEST_S,
            idle_s=idle_s,
            params=dict(params) if params else None,
            json=json_body,
            content=content,
            headers={**(headers or {}), **NO_COMPRESSION},
        ) as response:
            status, known = response.status_code, response.headers
            if status == 200:
                empty = Answer(method, path, status, known, b"", kind, doing)
                yield AnswerStream(empty, read_pieces(response, empty))
                return
            body = self._read(response, kind=kind, doing=doing, most=MAX_ANSWER_BYTES)
            yield AnswerStream(Answer(method, path, status, known, body, kind, doing), iter(()))

    @contextlib.contextmanager
    def _asked(
        self,
        method: str,
        path: str,
        kind: str,
        doing: Message,
        *,
        credential: Credential,
        headers: dict[str, str],
        answer_s: float | None = None,
        idle_s: float | None = None,
        **of_request: Any,
    ) -> Iterator[httpx.Response]:
        """Send it, and give what is answered before its body was read."""
        wait_hooks.begin()
        answer_s = seconds_left(answer_s or self.policy.answer_s, kind=kind, doing=doing)
        if isinstance(credential, Token):
            headers[credential.header] = f"{credential.scheme} {credential.secret.reveal()}".strip()
        idle_s = min(idle_s or answer_s, answer_s)
        place = slots.hold_slot(self.system, kind=kind, doing=doing)
        with place, time_limit(answer_s), translate_errors(self.system, idle_s, kind, doing):
            request = self._client.build_request(
                method,
                self.base_url + path,
                headers=headers,
                **of_request,
                timeout=httpx.Timeout(idle_s, connect=min(self.policy.connect_s, idle_s)),
            )
            response = self._client.send(request, auth=_basic(credential), stream=True)
            with contextlib.closing(response):
                if response.status_code >= 500:
                    failure_reports.report_failure(self.system)
                yield response

    def _read(self, response: httpx.Response, *, kind: str, doing: Message, most: int) -> bytes:
        try:
            body = bodies.Body(response.headers.get("content-encoding", ""), most=most)
            # As it came: the library's own decoders make as much of it as it says.
            for piece in response.stream:  # type: ignore[union-attr]
                body.take(piece)
            return body.whole()
        except httpx.ReadTimeout as late:
            late_answer = message("answer_did_not_end")
            raise unavailable(self.system, late_answer, kind, doing) from late
        except bodies.TooLarge:
            wrong = message("answer_too_large", most=most)
        except bodies.NotAskedFor:
            wrong = message("compression_not_asked_for")
        except bodies.Garbled as broken:
            cut = message("compression_broken")
            raise unavailable(self.system, cut, kind, doing) from broken
        raise Invalid(wrong, kind=kind, doing=doing, advice=message("something_else_answers"))


def _basic(used: Credential) -> httpx.BasicAuth | None:
    if not isinstance(used, Basic):
        return None
    return httpx.BasicAuth(used.username, used.password.reveal())


keep_earlier_names(__name__, trusted="trust_context")
