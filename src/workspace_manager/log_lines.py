"""The log's lines, for people (`console`) or for a log collector (`json`). Each carries the ids of
its request, plan and step.

A line is one line, whoever wrote part of it: an address or a name with a line break in it begins
no line of its own. What may open something is left out of an address. Every logger passes here,
Django's, the queue's and a system's too.
"""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any, Final

from workspace_manager.contract.log_ids import current_ids

_ID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w.~%-])"
_OPENS_SOMETHING: Final = re.compile(
    r"(?<=://)[^\s/@?#]+(?=@)"  # a user name and a password
    r"|(?<=\w\?)[^\s?]+|(?<=/\?)[^\s?]+"  # a query
    rf"|(?<=[/#])(?!{_ID})[\w.~%-]{{32,}}"  # as long as what is made to be guessed by nobody
)


class ConsoleLine(logging.Formatter):
    """Shows characters that control, and separators of lines, by their codes; tracebacks keep
    theirs.
    """

    def format(self, record: logging.LogRecord) -> str:
        record.ids = "".join(f" {name}={value}" for name, value in current_ids().items())
        return _redact(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the library's name
        return "".join(
            character if character.isprintable() else f"\\x{ord(character):02x}"
            for character in super().formatMessage(record)
        )


class JsonLine(logging.Formatter):
    """One JSON object a line, in ASCII: no character of a message ends it."""

    def format(self, record: logging.LogRecord) -> str:
        members = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            **current_ids(),
            "message": record.getMessage(),
        }
        if record.exc_info:
            members["traceback"] = self.formatException(record.exc_info)
        if record.stack_info:
            members["stack"] = self.formatStack(record.stack_info)
        # Before it is JSON: a query at the end of a text would take the quotation mark along.
        return json.dumps({name: _redact(text) for name, text in members.items()})


FORMATS: Final = {
    "console": {
        "()": "workspace_manager.log_lines.ConsoleLine",
        "format": "%(asctime)s %(levelname)s %(name)s%(ids)s: %(message)s",
    },
    "json": {"()": "workspace_manager.log_lines.JsonLine"},
}


def configuration(level: str, line_format: str) -> dict[str, Any]:
    """For Django: everything to standard error, in lines of this format."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": FORMATS[line_format]},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # These two print whole requests and statements at DEBUG: never wanted here.
            "httpx": {"level": "WARNING"},
            "huey": {"level": "WARNING"},
            "httpcore": {"level": "WARNING"},
            "django.db.backends": {"level": "WARNING"},
            # It tells of each connection that is taken and given back.
            "psycopg.pool": {"level": "WARNING"},
        },
    }


WEB_SERVER: Final = {"loggers": {"_granian": {"propagate": True}}}
"""For the web server, which would write lines of its own form to standard output."""


def _redact(text: str) -> str:
    return _OPENS_SOMETHING.sub("…", text)
