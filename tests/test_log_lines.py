"""Nobody writes lines into the log but the manager."""

import json
import logging
import logging.config
from typing import Any

import pytest

from workspace_manager.contract import log_ids
from workspace_manager.log_lines import configuration


def make_formatter(line_format: str = "console") -> logging.Formatter:
    """The formatter that Django is given."""
    told: Any = configuration("INFO", line_format)
    made: logging.Formatter = logging.config.DictConfigurator(told).configure_formatter(
        dict(told["formatters"]["line"])
    )
    return made


def failed() -> logging.LogRecord:
    try:
        raise ValueError("why: https://ann:pw@a.example/")
    except ValueError as why:
        return logging.LogRecord("n", 40, "p", 1, "m", (), (type(why), why, why.__traceback__))


ODD = pytest.mark.parametrize("odd", ["\n", "\r", "\x1b", "\u2028", "\x85", "\x00"])


@ODD
def test_what_somebody_typed_begins_no_line(odd: str) -> None:
    formatter = make_formatter()
    told = f"/x{odd}2026-01-01 00:00:00 ERROR root: made up"
    record = logging.LogRecord("n", logging.ERROR, "p", 1, "%s failed", (told,), None)
    line = formatter.format(record)
    assert odd not in line
    assert len(line.splitlines()) == 1
    assert "äöü" in formatter.format(logging.makeLogRecord({"msg": "äöü"}))


def test_a_traceback_keeps_its_lines() -> None:
    assert len(make_formatter().format(failed()).splitlines()) > 3


@ODD
def test_a_line_of_json_is_one_object(odd: str) -> None:
    told = f'/x{odd}{{"level": "ERROR"}} äöü'
    record = logging.LogRecord("n", logging.ERROR, "p", 1, "%s failed", (told,), None)
    line = make_formatter("json").format(record)
    assert len(line.splitlines()) == 1
    assert line.isascii()
    members = json.loads(line)
    assert members.pop("time").endswith("+00:00")
    assert members == {"level": "ERROR", "logger": "n", "message": f"{told} failed"}


def test_a_traceback_is_a_member_of_its_line() -> None:
    line = make_formatter("json").format(failed())
    assert len(line.splitlines()) == 1
    assert json.loads(line)["traceback"].endswith("ValueError: why: https://…@a.example/")


def test_each_line_has_the_ids_of_its_context() -> None:
    record = logging.LogRecord("n", logging.INFO, "p", 1, "m", (), None)
    with log_ids.binding(plan="a\nb"), log_ids.binding(step=3):
        line, document = make_formatter().format(record), make_formatter("json").format(record)
    assert line.endswith("n plan=a\\x0ab step=3: m")
    members = json.loads(document)
    assert (members["plan"], members["step"]) == ("a\nb", "3")
    assert make_formatter().format(record).endswith("n: m")


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
    record = logging.LogRecord("n", logging.WARNING, "p", 1, "%s", (told,), None)
    assert make_formatter().format(record).endswith(f"n: {line}")
    assert json.loads(make_formatter("json").format(record))["message"] == line
