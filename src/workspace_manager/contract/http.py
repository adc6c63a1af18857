"""The one HTTP client: cookies refused, redirects off, size capped, content type checked before decoding, credentials never logged.

Every rule here was learnt on a real system: a kept cookie ran a call as another person (drive), a followed redirect turned a
DELETE into a login page with status 200 (triplestore), and an early error ignored `Accept` (drive).
"""

import contextlib
import functools
import json
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, TypeAlias
from urllib.parse import quote

import httpx

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.deadline import seconds_left
from workspace_manager.contract.errors import Conflict, ConnectorError, Invalid, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.secret import Secret

MAX_ANSWER_BYTES = 5_000_000
USER_AGENT = "workspace-manager"
SOMETHING_ELSE = message("something_else_answers")


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
        """Decode a JSON body. Raises Invalid when it is labelled otherwise or does not parse."""
        if not self.is_json:
            raise self.error(Invalid, message("not_json", shape=self.shape), advice=SOMETHING_ELSE)
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError) as wrong:
            raise self.error(
                Invalid, message("json_does_not_parse", shape=self.shape), advice=SOMETHING_ELSE
            ) from wrong

    def json_or_none(self) -> Any:
        """Decode a JSON body if that is what it is; for error bodies, whose content types lie on some systems."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            return None

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait by the Retry-After header (RFC 9110, 10.2.3), either form; at most one day."""
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
        """Raise what means the same everywhere: 429 and 5xx are "not now", a redirect is never an answer."""
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
    """Quote one path segment. Raises Conflict for a value that no path can carry safely (empty, dots only, slash, control)."""
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


class _NoCookies(DefaultCookiePolicy):
    def set_ok(self, _cookie: Any, _request: Any) -> bool:
        return False

    def return_ok(self, _cookie: Any, _request: Any) -> bool:
        return False


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Whom to trust, read once for all clients: it takes longer than many a call."""
    return httpx.create_ssl_context(trust_env=False)


class HttpClient:
    """Send one request and give back one complete answer. Never loops, never follows, never remembers.

    `base_url`: `http(s)://…`, or `unix:///path.sock`. `system`: for the `kind` of errors when a call names none.
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
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.system = system
        self.policy = policy or CallPolicy()
        self.credential = credential
        if base_url.startswith("unix://"):
            socket_file = base_url.removeprefix("unix://")
            transport = transport or httpx.HTTPTransport(verify=_trusted(), uds=socket_file)
            self.base_url = "http://localhost"
        self._client = httpx.Client(
            cookies=CookieJar(policy=_NoCookies()),
            follow_redirects=False,
            trust_env=False,
            headers={"User-Agent": USER_AGENT, "Accept": "application/json", **(headers or {})},
            timeout=httpx.Timeout(self.policy.answer_s, connect=self.policy.connect_s),
            transport=transport,
            verify=transport is not None or _trusted(),
        )

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
    ) -> Answer:
        """Send it. `path` is already quoted (`segment`). Raises Unavailable for no, a late, or a cut answer; Invalid for one too large.

        `answer_s`: seconds for the whole answer, default the policy's, cut by `contract.deadline`. A timeout does not say that nothing happened.
        """
        kind = kind or self.system
        answer_s = seconds_left(answer_s or self.policy.answer_s, kind=kind, doing=doing)
        used = None if anonymous else (credential or self.credential)
        extra = dict(headers or {})
        if isinstance(used, Token):
            extra[used.header] = f"{used.scheme} {used.secret.reveal()}".strip()
        with self._in_our_words(answer_s, kind=kind, doing=doing):
            request = self._client.build_request(
                method,
                self.base_url + path,
                params=dict(params) if params else None,
                json=json_body,
                data=dict(form) if form is not None else None,
                content=content,
                headers=extra,
                timeout=httpx.Timeout(answer_s, connect=min(self.policy.connect_s, answer_s)),
            )
            basic = isinstance(used, Basic) and httpx.BasicAuth(
                used.username, used.password.reveal()
            )
            deadline = time.monotonic() + answer_s
            response = self._client.send(request, auth=basic or None, stream=True)
            with contextlib.closing(response):
                body = self._read(response, deadline, kind=kind, doing=doing)
        return Answer(method, path, response.status_code, response.headers, body, kind, doing)

    @contextlib.contextmanager
    def _in_our_words(self, answer_s: float, *, kind: str, doing: Message) -> Iterator[None]:
        """Turn the library's errors into two of the five."""
        try:
            yield
        except httpx.TimeoutException as late:
            none = message("no_answer_within", seconds=f"{answer_s:g}")
            raise self._unavailable(none, kind, doing) from late
        except httpx.LocalProtocolError as unfit:
            if "header" not in str(unfit):
                raise self._unavailable(message("connection_failed"), kind, doing) from None
            # Its text quotes the header: a stored secret with a line break in it must not reach a traceback.
            unfit_for = message("credential_unfit_for_header")
            look = message("look_for_line_break")
            raise Invalid(unfit_for, kind=kind, doing=doing, advice=look) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, UnicodeError) as wrong:
            text, look = message("address_unusable"), message("check_address")
            raise Invalid(text, kind=kind, doing=doing, advice=look) from wrong
        except httpx.HTTPError as broken:
            failed = message("connection_failed_by", name=type(broken).__name__)
            raise self._unavailable(failed, kind, doing) from broken

    def _read(
        self, response: httpx.Response, deadline: float, *, kind: str, doing: Message
    ) -> bytes:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                large = message("answer_too_large", most=MAX_ANSWER_BYTES)
                raise Invalid(large, kind=kind, doing=doing)
            if time.monotonic() > deadline:
                raise self._unavailable(message("answer_did_not_end"), kind, doing)
        return bytes(body)

    def _unavailable(self, detail: Message, kind: str, doing: Message) -> Unavailable:
        return Unavailable(detail, kind=kind, doing=doing, advice=message("check_it_runs"))
