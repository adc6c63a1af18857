"""The HTTP client meets headers and bodies that no well-behaved system sends."""

import gzip
import random
import tracemalloc
from collections.abc import Iterator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.http import MAX_ANSWER_BYTES, HttpClient
from workspace_manager.contract.message import quote_words

DAY_S = 86_400.0


def answer(*, retry_after: bytes = b"", content: bytes = b"", kind: bytes = b"") -> Answer:
    headers = httpx.Headers([(b"retry-after", retry_after), (b"content-type", kind)])
    return Answer("GET", "/", 429, headers, content, "drive.account", quote_words("asking"))


@given(st.binary(max_size=40))
def test_any_retry_after_is_a_wait_of_at_most_a_day_or_none(value: bytes) -> None:
    wait = answer(retry_after=value).retry_after
    assert wait is None or 0 <= wait <= DAY_S


@pytest.mark.parametrize(
    ("value", "wait"),
    [
        (b"17", 17.0),
        (b"0", 0.0),
        (b"9" * 5000, DAY_S),
        (b"\xb2", None),
        ("٣".encode(), None),
        (b"-1", None),
        (b"Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        (b"Fri, 31 Dec 9999 23:59:59 GMT", DAY_S),
        (b"Fri, 99 Foo 99999 99:99:99 GMT", None),
        (b"soon", None),
    ],
)
def test_retry_after_is_read_in_either_form(value: bytes, wait: float | None) -> None:
    assert answer(retry_after=value).retry_after == wait


def understood(one: Answer) -> object:
    """The document, or the error that it is none."""
    try:
        return one.json()
    except Invalid as error:
        return error


@given(st.binary(max_size=60), st.sampled_from((b"application/json", b"text/html", b"", b"\xff")))
def test_any_body_is_json_or_not_understood(content: bytes, kind: bytes) -> None:
    found = understood(answer(content=content, kind=kind))
    assert not isinstance(found, Invalid) or found.advice


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff\xfe{", b"{" * 9, b""])
def test_what_breaks_a_decoder_is_not_understood(content: bytes) -> None:
    one = answer(content=content, kind=b"application/json")
    error = understood(one)
    assert isinstance(error, Invalid)
    assert not content or content.decode("latin-1") not in str(error)
    assert one.json_or_none() is None


def client(response: httpx.Response) -> HttpClient:
    return HttpClient(
        "http://system",
        system="drive",
        policy=CallPolicy(),
        transport=httpx.MockTransport(lambda _: response),
    )


def test_an_answer_that_is_too_large_is_not_read_to_its_end() -> None:
    big = httpx.Response(200, content=b"x" * (MAX_ANSWER_BYTES + 1))
    with pytest.raises(Invalid, match="larger than"):
        client(big).send("GET", "/", doing=quote_words("asking"))


def test_a_broken_compression_is_unavailable() -> None:
    def response(_: httpx.Request) -> httpx.Response:
        stream = httpx.ByteStream(b"this is no gzip")
        return httpx.Response(200, headers={"content-encoding": "gzip"}, stream=stream)

    broken = HttpClient("http://system", system="drive", transport=httpx.MockTransport(response))
    with pytest.raises(Unavailable):
        broken.send("GET", "/", doing=quote_words("asking"))


def test_cookies_are_neither_kept_nor_sent_and_redirects_not_followed() -> None:
    seen: list[httpx.Request] = []

    def system(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        headers = {"set-cookie": "session=of-somebody; Path=/", "location": "http://elsewhere/"}
        return httpx.Response(302, headers=headers)

    http = HttpClient("http://system", system="drive", transport=httpx.MockTransport(system))
    for _ in range(2):
        one = http.send("GET", "/", doing=quote_words("asking"))
        assert one.status == 302
        with pytest.raises(Invalid, match="redirect"):
            one.raise_for_transient()
    assert [request.url.host for request in seen] == ["system", "system"]
    assert all("cookie" not in request.headers for request in seen)


PACKED = gzip.compress(b"{}", mtime=0)


def compressed(times: int, size: int) -> bytes:
    """`size` bytes of nothing, compressed so many times."""
    made = b"\0" * size
    for _ in range(times):
        made = gzip.compress(made)
    return made


class Pieces(httpx.SyncByteStream):
    """A body as a network brings it: nothing is read before somebody asks."""

    def __init__(self, whole: bytes) -> None:
        self.whole, self.given = whole, 0

    def __iter__(self) -> Iterator[bytes]:
        for start in range(0, len(self.whole), 4096):
            self.given += 1
            yield self.whole[start : start + 4096]


def send_request(body: httpx.SyncByteStream, *encodings: str) -> Answer:
    headers = [("content-encoding", one) for one in encodings]
    response = httpx.Response(200, headers=headers, stream=body)
    return client(response).send("GET", "/", doing=quote_words("asking"))


@pytest.mark.parametrize(
    ("encodings", "times"),
    [
        (("gzip",), 1),
        (("gzip, gzip",), 2),
        (("gzip", "gzip"), 2),
        (("GZIP ,identity, x-gzip",), 2),
        (("gzip, deflate",), 1),
        (("deflate",), 1),
        (("br",), 1),
        (("zstd",), 1),
        (("something",), 1),
    ],
)
def test_no_compression_makes_much_of_little(encodings: tuple[str, ...], times: int) -> None:
    bomb = compressed(times, 60_000_000)
    assert len(bomb) < 100_000
    tracemalloc.start()
    with pytest.raises(Invalid, match=r"larger than|not asked for") as caught:
        send_request(Pieces(bomb), *encodings)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * MAX_ANSWER_BYTES
    assert caught.value.advice


def test_an_answer_is_bounded_before_it_is_decoded_too() -> None:
    body = Pieces(gzip.compress(random.Random(1).randbytes(2 * MAX_ANSWER_BYTES)))
    with pytest.raises(Invalid, match="larger than"):
        send_request(body, "gzip")
    assert body.given <= MAX_ANSWER_BYTES // 4096 + 2


@pytest.mark.parametrize(
    ("content", "encodings"),
    [(PACKED, ("gzip",)), (PACKED, ("X-GZip",)), (PACKED, ("identity, gzip",)), (b"{}", ("",))],
)
def test_what_was_asked_for_is_read(content: bytes, encodings: tuple[str, ...]) -> None:
    assert send_request(Pieces(content), *encodings).content == b"{}"


@pytest.mark.parametrize("content", [PACKED[:-4], PACKED[:12], b"no gzip"])
def test_a_compressed_answer_that_is_cut_or_broken_is_unavailable(content: bytes) -> None:
    with pytest.raises(Unavailable):
        send_request(Pieces(content), "gzip")


def test_one_compression_is_asked_for() -> None:
    seen: list[httpx.Request] = []

    def system(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200)

    http = HttpClient("http://system", system="drive", transport=httpx.MockTransport(system))
    http.send("GET", "/", doing=quote_words("asking"))
    assert seen[0].headers["accept-encoding"] == "gzip, identity"
