"""An answer that is taken piece by piece, over a socket."""

import tempfile
import tracemalloc
from collections.abc import Iterator

import httpx
import pytest

from workspace_manager.contract.answer_stream import PIECE
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words

DOING = quote_words("reading")
LARGE = 200


def client(answer: httpx.Response) -> HttpClient:
    transport = httpx.MockTransport(lambda _request: answer)
    return HttpClient("http://127.0.0.1:1", system="loom", transport=transport)


class Pieces(httpx.SyncByteStream):
    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces


def cut() -> Iterator[bytes]:
    yield b"x" * PIECE
    raise httpx.RemoteProtocolError("peer closed connection")


def late() -> Iterator[bytes]:
    yield b"x"
    raise httpx.ReadTimeout("nothing comes")


def test_a_large_answer_takes_little_memory() -> None:
    piece = b"x" * PIECE
    many = client(httpx.Response(200, stream=Pieces(iter([piece] * LARGE))))
    tracemalloc.start()
    with many.stream("GET", "/", doing=DOING) as found:
        taken = sum(map(len, found.pieces))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.answer.content == b""
    assert taken == LARGE * PIECE
    assert most < 20 * PIECE


@pytest.mark.parametrize("pieces", [cut, late])
def test_one_that_is_cut_or_late_is_unavailable(pieces: type[Iterator[bytes]]) -> None:
    broken = client(httpx.Response(200, stream=Pieces(pieces())))
    with (
        pytest.raises(Unavailable),
        broken.stream("GET", "/", doing=DOING) as found,
    ):
        list(found.pieces)


def test_a_refusal_is_whole() -> None:
    with client(httpx.Response(403, text="no")).stream("GET", "/", doing=DOING) as found:
        assert (found.answer.status, found.answer.text) == (403, "no")
        assert list(found.pieces) == []


def test_what_is_compressed_is_not_taken_for_content() -> None:
    asked: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, headers={"Content-Encoding": "br"}, stream=Pieces(iter([b"x"])))

    transport = httpx.MockTransport(respond)
    compressing = HttpClient("http://127.0.0.1:1", system="loom", transport=transport)
    with (
        pytest.raises(Invalid),
        compressing.stream("GET", "/", doing=DOING) as found,
    ):
        list(found.pieces)
    assert asked[0].headers["accept-encoding"] == "identity"


def test_an_open_file_is_sent_with_its_length() -> None:
    """Without one some servers read nothing, and take that for an empty body."""
    asked: list[tuple[httpx.Headers, bytes]] = []

    def respond(request: httpx.Request) -> httpx.Response:
        asked.append((request.headers, request.read()))
        return httpx.Response(204)

    sending = HttpClient(
        "http://127.0.0.1:1", system="loom", transport=httpx.MockTransport(respond)
    )
    with tempfile.TemporaryFile() as file:
        file.write(b"content")
        file.seek(0)
        with sending.stream("POST", "/", doing=DOING, content=file) as found:
            assert found.answer.status == 204
    [(headers, body)] = asked
    assert (headers["content-length"], body) == ("7", b"content")
    assert "transfer-encoding" not in headers
