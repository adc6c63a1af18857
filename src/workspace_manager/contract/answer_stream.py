"""An answer whose body is taken piece by piece, so that memory stays small whatever its size."""

from collections.abc import Iterator
from dataclasses import dataclass

import httpx

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.messages import message

IDLE_S = 600.0
"""Seconds that may pass between two pieces."""
LONGEST_S = 86_400.0
"""Seconds that one such answer may take."""
PIECE = 256 * 1024
NO_COMPRESSION = {"Accept-Encoding": "identity"}


@dataclass(frozen=True)
class AnswerStream:
    """Of a refusal `answer` has the whole body, and there are no pieces. Of 200 `answer` has none,
    and `pieces` gives it, once.
    """

    answer: Answer
    pieces: Iterator[bytes]


def read_pieces(response: httpx.Response, answer: Answer) -> Iterator[bytes]:
    """Give what comes, in pieces of a useful size. Raises Unavailable where nothing more comes, and
    Invalid for what is compressed.
    """
    if answer.headers.get("content-encoding", "identity") != "identity":
        wrong = message("compression_not_asked_for")
        raise answer.error(Invalid, wrong, advice=message("something_else_answers"))
    waiting = bytearray()
    try:
        for piece in response.stream:  # type: ignore[union-attr]
            waiting += piece
            if len(waiting) >= PIECE:
                yield bytes(waiting)
                waiting.clear()
    except httpx.ReadTimeout as late:
        raise answer.error(Unavailable, message("answer_did_not_end")) from late
    if waiting:
        yield bytes(waiting)
