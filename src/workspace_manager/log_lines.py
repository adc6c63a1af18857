"""One line for what is said in the log, whoever wrote part of it: an address or a name with a line
break in it begins no line of its own.
"""

import logging


class OneLine(logging.Formatter):
    """Show characters that control, and separators of lines, by their codes; tracebacks keep
    theirs.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the library's name
        return "".join(
            character if character.isprintable() else f"\\x{ord(character):02x}"
            for character in super().formatMessage(record)
        )
