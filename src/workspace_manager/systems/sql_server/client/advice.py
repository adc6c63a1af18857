"""Advice for each of the five errors, for every product."""

from collections.abc import Mapping
from typing import Final

from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.http import MAX_ANSWER_BYTES
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server.messages import message

ADVICE: Final[Mapping[type[ConnectorError], Message]] = {
    Unavailable: message("look_whether_it_runs"),
    Denied: message("correct_administrator"),
    NotFound: message("look_at_it"),
    Conflict: message("look_at_it"),
    Invalid: message("look_at_error_log"),
}
ANOTHER_PRODUCT: Final = message("another_product")
NOT_THIS_PROTOCOL: Final = message("not_this_protocol")
PASSWORD_WOULD_SHOW: Final = message("password_would_show")
ANSWER_TOO_LARGE: Final = message("answer_too_large", most=MAX_ANSWER_BYTES)
