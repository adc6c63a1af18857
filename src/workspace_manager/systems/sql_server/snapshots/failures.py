"""Meanings of a failed tool's words: the one place that turns them into the five errors.

The words may quote a database's content, so nobody sees them: only a code, a line and the name of a
table are used.
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
    """A table was altered while it was read; the reading starts again. `table`: "" if unknown."""

    def __init__(self, table: str) -> None:
        super().__init__("a table changed")
        self.table = table


def find_tool(tool: Tool, doing: Message) -> str:
    """Return the path of a tool. Raises Invalid without it."""
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
    """The forms of one product's messages."""

    code: re.Pattern[str]
    line: re.Pattern[str]
    refused: Collection[str]
    """Codes of a refused sign-in."""
    refused_words: re.Pattern[str]
    """Words of a refused sign-in without a code."""
    passing: Callable[[str, str], bool]
    """Whether a failure with this code, or these words, passes by itself."""


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
        """Return the error of loading a dump, which is most likely the dump's own fault."""
        advice = message("look_at_dump")
        found = self.words.line.search(self.failed.said)
        if failure := self._of_any(begun=found is not None):
            return failure
        if not self.code or not found:
            return self._invalid(message("dump_refused_nowhere"), advice)
        return self._invalid(message("dump_refused", code=self.code, line=int(found[1])), advice)

    def _of_any(self, *, begun: bool = False) -> ConnectorError | None:
        """Return the error if it is one of any run. `begun`: the sign-in was accepted, so that a
        refusal concerns the dump.
        """
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
