"""Nobody writes lines into the log but the manager."""

import logging
import logging.config
from typing import Any

import pytest
from django.conf import settings


def configured() -> logging.Formatter:
    """The one that the settings name."""
    told: Any = settings.LOGGING
    made: logging.Formatter = logging.config.DictConfigurator(told).configure_formatter(
        dict(told["formatters"]["plain"])
    )
    return made


@pytest.mark.parametrize("odd", ["\n", "\r", "\x1b", "\u2028", "\x85", "\x00"])
def test_what_somebody_typed_begins_no_line(odd: str) -> None:
    formatter = configured()
    told = f"/x{odd}2026-01-01 00:00:00 ERROR root: made up"
    record = logging.LogRecord("n", logging.ERROR, "p", 1, "%s failed", (told,), None)
    line = formatter.format(record)
    assert odd not in line
    assert len(line.splitlines()) == 1
    assert "äöü" in formatter.format(logging.makeLogRecord({"msg": "äöü"}))


def test_a_traceback_keeps_its_lines() -> None:
    formatter = configured()
    try:
        raise ValueError("why")
    except ValueError as why:
        record = logging.LogRecord("n", 40, "p", 1, "m", (), (type(why), why, why.__traceback__))
    assert len(formatter.format(record).splitlines()) > 3
