"""What a failed tool means: the one place that turns its words into the five errors.

Its words may quote what is in a database, so nobody is shown them: a code, a line and the name of a
table are all that is taken.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from workspace_manager.contract.errors import ConnectorError, Invalid, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server.client.tools import IDLE_S, Tool, ToolFailed
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import DATABASE_KIND


class TableChanged(Exception):
    """A table was altered while it was read: it is begun anew. `table`: "" where nobody says."""

    def __init__(self, table: str) -> None:
        super().__init__("a table changed")
        self.table = table


def find_tool(tool: Tool, doing: Message) -> str:
    """Where it is. Raises Invalid where it is not."""
    if found := tool.path():
        return found
    raise Invalid(
        message("tool_missing", tool=tool.names[0]),
        kind=DATABASE_KIND,
        doing=doing,
        advice=message("install_tool", package=tool.package),
    )


@dataclass(frozen=True)
class Words:
    """How one product's tools say what happened."""

    code: re.Pattern[str]
    line: re.Pattern[str]
    refused: Collection[str]
    """Codes of a sign-in that failed."""
    refused_words: re.Pattern[str]
    """What is said of one where no code is."""
    passing: Callable[[str, str], bool]
    """Whether what has this code, or these words, is over by itself."""


@dataclass(frozen=True)
class Failure:
    """One failure of a tool."""

    tool: str
    failed: ToolFailed
    words: Words
    doing: Message

    @property
    def code(self) -> str:
        found = self.words.code.search(self.failed.said)
        return next((one for one in found.groups() if one), "") if found else ""

    def of_reading(self) -> ConnectorError:
        return self._of_any() or (
            self._invalid(message("tool_failed_with", tool=self.tool, code=self.code))
            if self.code
            else self._invalid(message("tool_failed_without", tool=self.tool))
        )

    def of_loading(self) -> ConnectorError:
        """Of a dump: what is wrong is most likely in it."""
        advice = message("look_at_dump")
        found = self.words.line.search(self.failed.said)
        if failure := self._of_any(begun=found is not None):
            return failure
        if not self.code or not found:
            return self._invalid(message("dump_refused_nowhere"), advice)
        return self._invalid(message("dump_refused", code=self.code, line=int(found[1])), advice)

    def _of_any(self, *, begun: bool = False) -> ConnectorError | None:
        """`begun`: it was let in, so that whatever is refused is refused to the dump."""
        if self.failed.said == "idle":
            minutes = IDLE_S // 60
            return Unavailable(
                message("tool_stood_still", tool=self.tool, minutes=minutes),
                kind=DATABASE_KIND,
                doing=self.doing,
            )
        if self.words.passing(self.code, self.failed.said):
            return Unavailable(
                message("connection_broke_off", tool=self.tool, code=self.code),
                kind=DATABASE_KIND,
                doing=self.doing,
            )
        words = self.words.refused_words
        if not begun and (self.code in self.words.refused or words.search(self.failed.said)):
            return self._invalid(
                message("tool_not_let_in", tool=self.tool), message("look_at_encryption")
            )
        return None

    def _invalid(self, said: Message, advice: Message | None = None) -> Invalid:
        return Invalid(
            said, kind=DATABASE_KIND, doing=self.doing, advice=advice or message("look_at_tool")
        )
