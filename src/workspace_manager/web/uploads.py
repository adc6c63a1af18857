"""Uploaded files: which requests bring one, how large it may be, and how its form is read.

A file is read while it arrives, and nobody keeps it: the members before it say what it is for.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Generic, TypeVar

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import (
    RAW,
    ChunkIter,
    LazyStream,
    MultiPartParser,
    MultiPartParserError,
    Parser,
)
from django.utils.datastructures import MultiValueDict

from workspace_manager.core.refusal import BadInput
from workspace_manager.web.environ import Scope
from workspace_manager.web.messages import message

FORM: Final = "multipart/form-data"
FILE: Final = "content"
"""The member that is the file; the last of its form."""
ADDRESSES: Final = frozenset({"/api/v1/components", "/components/from-file"})
OTHER_MEMBERS: Final = 64 * 1024
"""What a form may have besides its file."""
PIECE: Final = 64 * 1024
MOST_MEMBERS: Final = 20
LONGEST_MEMBER: Final = 4096

T = TypeVar("T")
Take = Callable[[dict[str, str], str, Iterator[bytes]], T]
"""Takes the members of a form, the name of its file, and the file."""


def brings_file(method: str | None, path: str, content_type: str) -> bool:
    """Return whether a request brings a file, by what stands before its body."""
    is_form = content_type.partition(";")[0].strip().lower() == FORM
    return method == "POST" and is_form and path in ADDRESSES


def is_upload(request: HttpRequest) -> bool:
    """Return whether this request brings a file."""
    return brings_file(request.method, request.path, request.META.get("CONTENT_TYPE") or "")


def find_largest_body() -> int:
    """Return how many bytes a request may have that brings a file; 0 for any number."""
    most: int = settings.SNAPSHOT_BOUNDS.upload_bytes
    return most + OTHER_MEMBERS if most else 0


def is_taken_upload(scope: Scope, length: int) -> bool:
    """Return whether a request to the ASGI server brings a file, and may be of this length."""
    kind = dict(scope["headers"]).get(b"content-type", b"").decode("latin-1")
    most = find_largest_body()
    return brings_file(scope["method"], scope["path"], kind) and not 0 < most < length


def read_form(request: HttpRequest, take: "Take[T]") -> T:
    """Read a form while it arrives; return what `take` made of it. Raises MultiPartParserError for
    what is no form, BadInput for one without a file or with a member behind it, and whatever `take`
    raises.
    """
    form = _Form(take)
    MultiPartParser(request.META, request, [form], "utf-8").parse()
    if not form.made:
        raise BadInput({FILE: message("file_missing")})
    return form.made[0]


class _Form(FileUploadHandler, Generic[T]):
    """Reads the members of a form in their order. Django's own way keeps a file somewhere."""

    def __init__(self, take: "Take[T]") -> None:
        super().__init__()
        self._take = take
        self.made: list[T] = []

    def handle_raw_input(
        self,
        input_data: Any,
        META: dict[str, str],  # noqa: ARG002, N803  Django's own names
        content_length: int,  # noqa: ARG002
        boundary: Any,
        encoding: str | None = None,  # noqa: ARG002
    ) -> tuple[QueryDict, MultiValueDict[str, Any]]:
        parts = iter(Parser(LazyStream(ChunkIter(input_data, PIECE)), boundary))
        members: dict[str, str] = {}
        for kind, about, stream in parts:
            name = "" if kind == RAW else _member(about, "name")
            if name == FILE:
                content = _whole(stream, parts)
                self.made.append(self._take(members, _member(about, "filename"), content))
                break
            if name:
                if name in members or len(members) >= MOST_MEMBERS:
                    raise MultiPartParserError("too many members")
                members[name] = _text(stream.read(LONGEST_MEMBER))
            _pass(stream)
        return QueryDict(), MultiValueDict()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:  # noqa: ARG002
        """Never called, because the form is read here."""
        return raw_data

    def file_complete(self, file_size: int) -> None:  # noqa: ARG002
        return None


def _member(about: dict[str, Any], what: str) -> str:
    _, said = about.get("content-disposition", ("", {}))
    return _text(said.get(what, b"")).strip()


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise MultiPartParserError("a member is no UTF-8") from None


def _whole(stream: Iterable[bytes], parts: Iterator[Any]) -> Iterator[bytes]:
    """Yield the file. Raises BadInput, before its end, for a form that goes on behind it."""
    yield from stream
    for kind, _, rest in parts:
        if kind != RAW:
            raise BadInput({FILE: message("file_not_last")})
        _pass(rest)


def _pass(stream: Iterable[bytes]) -> None:
    for _ in stream:
        pass
