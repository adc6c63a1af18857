"""Answers nobody recorded: recorded ones with something else in their place, and what only looks
like an answer.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests.recorded.conftest import OWN
from tests.recorded.expected_meaning import Table
from tests.recorded.reading import Exchange, read, recordings

CANARY = "c4n4ry-0f-a-b0dy"
"""Stands in every made-up answer; no error may carry it."""
STATUSES = (
    *(200, 201, 202, 204, 206, 226, 300, 301, 302, 303, 304, 307, 308),
    *(
        400,
        401,
        402,
        403,
        404,
        405,
        406,
        408,
        409,
        410,
        411,
        412,
        413,
        415,
        418,
        422,
        423,
        425,
        428,
        429,
        431,
    ),
    *(500, 501, 502, 503, 504, 507, 508, 511, 520, 599),
)
KINDS = (
    "application/json",
    "application/json;charset=UTF-8",
    "application/problem+json",
    "application/xml",
    "text/html; charset=utf-8",
    "text/plain",
    "application/octet-stream",
    "application/vnd.docker.raw-stream",
    "application/sparql-results+json",
    "multipart/form-data; boundary=x",
    "JSON",
    "",
)
RETRY_AFTER = (
    *(
        "0",
        "17",
        "-1",
        "1e9",
        "9" * 5000,
        "Wed, 21 Oct 2015 07:28:00 GMT",
        "Fri, 99 Foo 99999 99:99:99 GMT",
    ),
    *("soon", "", "\x7f", "0x10", "1_000"),
)
ODD_TEXTS = (
    *(
        "",
        " ",
        CANARY,
        "<html><body>sign in</body></html>",
        "null",
        "[]",
        "{}",
        '{"a":',
        "[" * 20_000,
        '"' + CANARY,
    ),
    *(
        '{"statuscode":100}',
        "<ocs><meta><statuscode>100</statuscode></meta></ocs>",
        "\ufeff{}",
        "NaN",
        "1e999",
        "-",
        "\x00",
    ),
)

scalars: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        ("", CANARY, "0", "true", "\ud800", "\x00", "a" * 10_000, "../..", "2024-13-45T99:99:99Z")
    ),
    st.text(max_size=8),
)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def templates(table: Table) -> dict[str, Exchange]:
    """For each (method, route, status) of a system the recorded answer that says most."""
    longest: dict[str, Exchange] = {}
    for path in recordings(OWN / table.system):
        found = read(path, table.system)
        if isinstance(found, Exchange) and found.status:
            key = f"{found.method} {table.route(found.path)} {found.status // 100}xx"
            known = longest.get(key)
            if known is None or _says(found) > _says(known):
                longest[key] = found
    return {key: replace(found, cut=False, notes=()) for key, found in longest.items()}


def _says(exchange: Exchange) -> tuple[bool, int]:
    return bool(exchange.json()), len(exchange.content)


@st.composite
def made_of(draw: st.DrawFn, template: Exchange) -> Exchange:
    """An answer in the place of a recorded one: another status, type or header, another body, or
    the body with something changed.
    """
    status = draw(st.sampled_from((template.status, 200, *STATUSES)))
    kind = draw(st.sampled_from((template.content_type, *KINDS)))
    headers = [("content-type", kind)] if kind else []
    headers += [
        (name, value)
        for name, value in template.answer_headers
        if name in {"link", "location"} and draw(st.booleans())
    ]
    if draw(st.booleans()):
        headers.append(("retry-after", draw(st.sampled_from(RETRY_AFTER))))
    content = draw(
        st.one_of(
            _changed(template),
            st.sampled_from(ODD_TEXTS).map(_bytes),
            values.map(_json),
            st.binary(max_size=40),
        )
    )
    return replace(template, status=status, answer_headers=tuple(headers), content=content)


def _changed(template: Exchange) -> st.SearchStrategy[bytes]:
    document = template.json()
    if document is None:
        text = template.content
        return st.integers(0, len(text)).map(
            lambda at: text[:at] + CANARY.encode() + text[at + 3 :]
        )
    return st.tuples(st.integers(0, 2**32), values, st.booleans()).map(
        lambda drawn: _json(_with(document, drawn[0], drawn[1], drop=drawn[2]))
    )


def _with(document: Any, choice: int, value: Any, *, drop: bool) -> Any:
    """The document with one of its places filled with something else, or gone."""
    places = list(_places(document))
    if not places:
        return value
    path = places[choice % len(places)]
    return _dropped(document, path) if drop else _changed_at(document, path, value)


def _changed_at(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    copy = _copied(document, path)
    _inside(copy, path)[path[-1]] = value
    return copy


def _dropped(document: Any, path: tuple[Any, ...]) -> Any:
    copy = _copied(document, path)
    del _inside(copy, path)[path[-1]]
    return copy


def _copied(document: Any, path: tuple[Any, ...]) -> Any:
    """A copy of what leads to a place; the rest is shared."""
    if not path:
        return document
    copy = document.copy()
    copy[path[0]] = _copied(document[path[0]], path[1:])
    return copy


def _inside(document: Any, path: tuple[Any, ...]) -> Any:
    for name in path[:-1]:
        document = document[name]
    return document


def _places(document: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    found = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    for name, value in found:
        yield (*before, name)
        yield from _places(value, (*before, name))


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogatepass")


ODD_VALUES: tuple[Any, ...] = (
    None,
    "",
    CANARY,
    -1,
    2**80,
    True,
    1.5,
    [],
    {},
    [CANARY],
    {"a": CANARY},
)


def each_place_changed(template: Exchange) -> Iterator[tuple[str, Exchange]]:
    """The recorded answer with each of its members, in turn, of every other kind, and gone."""
    for where, document in documents_like(template.json()):
        yield where, replace(template, content=_json(document))


def documents_like(document: Any) -> Iterator[tuple[str, Any]]:
    """A document with one of its members changed or gone, and where. Of equal items of a list one
    is enough.
    """
    seen = set()
    for path in _places(document):
        where = "/".join("*" if isinstance(name, int) else name for name in path)
        if where in seen:
            continue
        seen.add(where)
        for value in ODD_VALUES:
            yield f"{where} is {value!r:.40}", _changed_at(document, path, value)
        yield f"{where} is gone", _dropped(document, path)
    for value in ODD_VALUES:
        yield f"all is {value!r:.40}", value
