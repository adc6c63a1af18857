"""One line for what is said in the log, whoever wrote part of it: an address or a name with a line
break in it begins no line of its own, and what may open something is left out of an address.
"""

import logging
import re
from typing import Any, Final

_ID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w.~%-])"
_OPENS_SOMETHING: Final = re.compile(
    r"(?<=://)[^\s/@?#]+(?=@)"  # a user name and a password
    r"|(?<=\w\?)[^\s?]+|(?<=/\?)[^\s?]+"  # a query
    rf"|(?<=[/#])(?!{_ID})[\w.~%-]{{32,}}"  # as long as what is made to be guessed by nobody
)


class OneLine(logging.Formatter):
    """Show characters that control, and separators of lines, by their codes; tracebacks keep
    theirs.
    """

    def format(self, record: logging.LogRecord) -> str:
        return _OPENS_SOMETHING.sub("…", super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the library's name
        return "".join(
            character if character.isprintable() else f"\\x{ord(character):02x}"
            for character in super().formatMessage(record)
        )


def configuration(level: str) -> dict[str, Any]:
    """For Django: everything to standard error, in lines of its own."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "plain": {
                "()": "workspace_manager.log_lines.OneLine",
                "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
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
