"""One line for what is said in the log, whoever wrote part of it: an address or a name with a line
break in it begins no line of its own.
"""

import logging
from typing import Any


class OneLine(logging.Formatter):
    """Show characters that control, and separators of lines, by their codes; tracebacks keep
    theirs.
    """

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
