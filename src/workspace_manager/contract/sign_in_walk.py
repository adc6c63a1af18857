"""Where a person's sign-in at a system begins, and how it goes on from there, as far as it comes
without a password.

A system that people sign in to through the identity provider has `sign_in_start()` besides the
contract; the identity provider has `at_sign_in(address)`. Neither knows the other: the address that
one sends people to is what the other is asked about.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message

NAME: Final = message("check_sign_in_walk")
DOING: Final = message("walking_sign_in")
CALLS: Final = CallPolicy(connect_s=5, answer_s=15)
BROWSER: Final = {"Accept": "text/html", "Accept-Language": "en"}
MOST_REDIRECTS: Final = 5
MOST_BYTES: Final = 500_000
LONGEST: Final = 200
"""Of what the other side says."""
_TAGS: Final = re.compile(
    r"<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>", re.DOTALL | re.IGNORECASE
)
_HEADING: Final = re.compile(
    r"<h1\b[^>]*>(.*?)</h1>(?:\s*<p\b[^>]*>(.*?)</p>)?", re.DOTALL | re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class SignInStart:
    """Where a browser begins. `name`: of the finding that the walk is said as.

    `explained`: codes of sentences that only follow from what stops a sign-in at the identity
    provider. `told_by`: names of findings that, where they fail, say already what stops it.
    `once_said`: where it is not empty, one of these codes must have been said before a sign-in may
    be begun at all.
    """

    address: str
    name: Message = NAME
    explained: tuple[str, ...] = ()
    told_by: tuple[Message, ...] = ()
    once_said: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProviderAnswer:
    """The identity provider's answer at the end of a sign-in."""

    is_our_realm: bool
    """Otherwise it was not asked."""
    client_id: str = ""
    said: str = ""
    """In its own words, where it refuses; "" where it goes on to a password."""
    remedy: Message | None = None


@dataclass(frozen=True)
class SignInPath:
    """The path of a sign-in at its system: where it leads away from there ("" if nowhere), and
    the last answer.
    """

    leads_to: str
    answer: Answer


def way_from(start: SignInStart, *, system: str) -> SignInPath:
    """Follow a sign-in from its start until it leaves that origin. Keeps no cookie. Raises
    Unavailable and Invalid, as calls do.
    """
    address = start.address
    for _ in range(MOST_REDIRECTS):
        answer = visit(address, system=system)
        location = answer.headers.get("location", "")
        if not 300 <= answer.status < 400 or not location:
            break
        leads_to = _joined(address, location)
        if not leads_to:
            break
        if origin_of(leads_to) != origin_of(start.address):
            return SignInPath(leads_to, answer)
        address = leads_to
    return SignInPath("", answer)


def visit(address: str, *, system: str) -> Answer:
    """Ask for one page, as a browser does that was never there."""
    parts = urlsplit(address)
    http = HttpClient(f"{parts.scheme}://{parts.netloc}", system=system, policy=CALLS)
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    try:
        return http.send("GET", path, doing=DOING, headers=BROWSER, anonymous=True, most=MOST_BYTES)
    finally:
        http.close()


def _joined(address: str, location: str) -> str:
    """Where a redirect leads; "" for what is no address."""
    try:
        joined = urljoin(address, location)
        return joined if urlsplit(joined).hostname else ""
    except ValueError:
        return ""


def origin_of(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc


def words(text: str) -> str:
    """The readable text of a piece of a page: without tags, in one line, and bounded."""
    line = " ".join(html.unescape(_TAGS.sub(" ", text)).split())
    return "".join(one for one in line if one.isprintable())[:LONGEST]


def said_by(answer: Answer) -> str:
    """The error in an answer, in its own words; "" without a known one."""
    return next(filter(None, _sayings(answer)), "")


def _sayings(answer: Answer) -> Iterator[str]:
    told = answer.json_or_none() if answer.is_json else None
    if isinstance(told, dict):
        parts = [told.get(name) for name in ("error", "error_description", "message")]
        yield words(": ".join(one for one in parts if isinstance(one, str) and one))
    if answer.content_type == "text/html" and (found := _HEADING.search(answer.text)):
        yield words(" ".join(filter(None, found.groups())))


keep_earlier_names(__name__, AtProvider="ProviderAnswer", Way="SignInPath")
