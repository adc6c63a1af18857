"""Files for download: tables and lines that are sent while they are read, however many rows."""

from collections.abc import Iterable
from typing import Final

from django.http import StreamingHttpResponse

TYPES: Final = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8"}
"""Content types by file extension."""


def download(name: str, form: str, text: Iterable[str]) -> StreamingHttpResponse:
    """Return a download of one file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return StreamingHttpResponse(text, content_type=TYPES[form], headers=headers)
