"""Compare what a stand-in answered with what was recorded: status, content type, code, and the
shape of the body.

Ids, times, tokens and other people's names differ; which members there are and of what kind does
not.
"""

import json
import re
from collections.abc import Container
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.ElementTree import fromstring

from tests.recorded.expected_meaning import Code
from tests.recorded.reading import Exchange
from tests.recorded.sending import Reply

_VARYING = re.compile(
    r"[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|127\.0\.0\.1:\d+|\d+"
)
FREE: Container[str] = frozenset()


def differences(
    exchange: Exchange, reply: Reply, code: Code, *, free: Container[str] = FREE
) -> list[str]:
    """Say in what a reply differs from the recorded one. `free`: names of members whose own members
    are names somebody chose.
    """
    if exchange.status is None or reply.status is None:
        same = exchange.status is None and reply.status is None
        return [] if same else [f"status {exchange.status} recorded, {reply.status} answered"]
    found = []
    if exchange.status != reply.status:
        found.append(f"status {exchange.status} recorded, {reply.status} answered")
    ours, theirs = (
        _kind(reply.header("content-type")),
        _kind(exchange.answer_header("content-type")),
    )
    if ours != theirs:
        found.append(f"content type {theirs!r} recorded, {ours!r} answered")
    if found or is_cut(exchange) or exchange.method == "HEAD":
        return found
    recorded, answered = code_of(exchange, code), code_of(reply, code)
    if masked(recorded) != masked(answered):
        found.append(f"code {recorded!r} recorded, {answered!r} answered")
    return found + _bodies(exchange, reply, free)


def code_of(answer: Exchange | Reply, code: Code) -> str:
    """A system's own code for what an answer says, recorded or not."""
    pairs = answer.answer_headers if isinstance(answer, Exchange) else answer.headers
    return code(
        answer.status, answer.content_type, answer.text, answer.json(), dict(reversed(pairs))
    )


def is_cut(exchange: Exchange) -> bool:
    """Whether the recording lacks the end of the answer; long ones end at 6,000 characters without
    a mark.
    """
    length = exchange.answer_header("content-length") or ""
    short = (
        length.isdigit() and len(exchange.content) < int(length) - 4 and exchange.method != "HEAD"
    )
    return exchange.cut or (
        short and "html" not in exchange.content_type and "hex" not in " ".join(exchange.notes)
    )


def masked(text: str) -> str:
    """A text without what differs from run to run: ids, ports, numbers."""
    return " ".join(_VARYING.sub("#", text).split())


def _kind(value: str | None) -> str:
    return (value or "").lower().replace(" ", "")


def _bodies(exchange: Exchange, reply: Reply, free: Container[str]) -> list[str]:
    kind = exchange.content_type
    if bool(exchange.content.strip()) != bool(reply.content.strip()):
        return [
            f"a body of {len(exchange.content)} bytes recorded, of {len(reply.content)} answered"
        ]
    if "json" in kind:
        recorded, answered = exchange.json(), reply.json()
        if recorded is None or answered is None:
            same = (recorded is None) == (answered is None)
            return [] if same else ["one of the two bodies is no JSON"]
        return unlike(recorded, answered, free=free)[:12]
    if "xml" in kind:
        recorded_tags, answered_tags = tags(exchange.text), tags(reply.text)
        return (
            []
            if recorded_tags == answered_tags
            else [f"elements {recorded_tags} recorded, {answered_tags} answered"]
        )
    if kind == "application/vnd.docker.raw-stream" or not kind:
        return _streams(exchange.content, reply.content)
    return []


def unlike(recorded: Any, answered: Any, at: str = "", *, free: Container[str] = FREE) -> list[str]:
    """Say where two documents differ in members or in kinds of values."""
    if _counts(recorded) and _counts(answered):
        recorded, answered = list(recorded.values()), list(answered.values())
    if isinstance(recorded, dict) and isinstance(answered, dict):
        if at.rpartition("/")[2] in free:
            return []
        missing = [f"{at}/{name} is missing" for name in recorded if name not in answered]
        extra = [f"{at}/{name} is too much" for name in answered if name not in recorded]
        inner = [
            line
            for name in recorded
            if name in answered
            for line in unlike(recorded[name], answered[name], f"{at}/{name}", free=free)
        ]
        return missing + extra + inner
    if isinstance(recorded, list) and isinstance(answered, list):
        return _unlike_lists(recorded, answered, at, free)
    if _type(recorded) != _type(answered):
        return [f"{at or '/'}: {_type(recorded)} recorded, {_type(answered)} answered"]
    return []


def _counts(value: Any) -> bool:
    """Whether this is a list in the clothes of an object: its members are called 0, 1, 2."""
    return isinstance(value, dict) and bool(value) and all(name.isdigit() for name in value)


def _unlike_lists(
    recorded: list[Any], answered: list[Any], at: str, free: Container[str]
) -> list[str]:
    """Lists agree when both are empty, or when some item of the one looks like some item of the
    other.
    """
    if bool(recorded) != bool(answered):
        return [f"{at or '/'}: {len(recorded)} items recorded, {len(answered)} answered"]
    tries = [unlike(a, b, f"{at}[]", free=free) for a in recorded[:20] for b in answered[:20]]
    return min(tries, key=len, default=[])


def _type(value: Any) -> str:
    match value:
        case bool():
            return "truth value"
        case int() | float():
            return "number"
        case None:
            return "null"
    return "text" if isinstance(value, str) else "object" if isinstance(value, dict) else "list"


def tags(text: str) -> Any:
    """The elements of a document without their texts, equal siblings once; None when it is none."""
    try:
        return _tags(fromstring(text))
    except ParseError:
        return None


def _tags(element: Element) -> Any:
    inner: list[Any] = []
    for child in element:
        found = _tags(child)
        if found not in inner:
            inner.append(found)
    return [element.tag.rpartition("}")[2], *inner]


def _streams(recorded: bytes, answered: bytes) -> list[str]:
    """The output of a command: the same channels, framed or not."""
    ours, theirs = _channels(answered), _channels(recorded)
    return [] if ours == theirs else [f"output {theirs} recorded, {ours} answered"]


def _channels(stream: bytes) -> str:
    found, at = [], 0
    while at + 8 <= len(stream) and stream[at] in {1, 2} and stream[at + 1 : at + 4] == b"\0\0\0":
        found.append(str(stream[at]))
        at += 8 + int.from_bytes(stream[at + 4 : at + 8], "big")
    if stream and at != len(stream):
        return "plain"
    return json.dumps(sorted(set(found)))
