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


RANDOM = "pN9v_3hTqk2-Zb7XwLm4RcYdE6sFgHjA"


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (f"Not Found: /register/confirm/{RANDOM}", "Not Found: /register/confirm/…"),
        (f"Not Found: /x/{RANDOM}/y", "Not Found: /x/…/y"),
        ("Gone: /login/callback/?code=1.2&state=3", "Gone: /login/callback/?…"),
        (f"/x?code={RANDOM}/a, /y", "/x?… /y"),
        (
            f"Forbidden (Referer - https://ann:pw@a.example:8443/b/{RANDOM}?c=d#e is not): /x",
            "Forbidden (Referer - https://…@a.example:8443/b/…?… is not): /x",
        ),
        ("no answer: postgresql://ann:pw@db/name", "no answer: postgresql://…@db/name"),
        ("https://a.example/#" + RANDOM, "https://a.example/#…"),
        (
            "Gone: /people/2f1d0c3a-9f6c-4d10-8a34-1f8c7f3f2a01/removal",
            "Gone: /people/2f1d0c3a-9f6c-4d10-8a34-1f8c7f3f2a01/removal",
        ),
        ("why? because: a/b, 1/2 #3", "why? because: a/b, 1/2 #3"),
        ("/people/ann@example.org", "/people/ann@example.org"),
        ("audit sealed: 7:" + "ab12" * 16, "audit sealed: 7:" + "ab12" * 16),
    ],
)
def test_nothing_that_opens_something_is_left_in_an_address(told: str, line: str) -> None:
    formatter = configured()
    record = logging.LogRecord("n", logging.WARNING, "p", 1, "%s", (told,), None)
    assert formatter.format(record).endswith(f"n: {line}")
