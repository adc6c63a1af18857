"""The checks a user profile can ask for, with the messages and parameters the real server answers. Facts: `keycloak.md` A3, A5."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Any

from workspace_sandbox.stand_ins.identity_provider.answers import Doc

# One error: the message, and the parameters that follow the attribute's name.
Problem = tuple[str, list[Any]]

_USERNAME = re.compile(r"[<>&\"'\s$%!#?§,;:*~/\\|^=\[\]{}()`\x00-\x1f\x7f]")
_PERSON = re.compile(r"[<>&\"$%!#?§;*~/\\|^=\[\]{}()\x00-\x1f\x7f]")
_EMAIL_LOCAL = re.compile(r"(?:[^\s\"(),:;<>@\[\\\].]+(?:\.[^\s\"(),:;<>@\[\\\].]+)*|\"[^\"]+\")")
_LABEL = re.compile(r"(?!-)[^\W_](?:[^\W_]|-)*(?<!-)")


def length(value: str, config: Doc) -> Problem | None:
    low, high = _number(config.get("min")), _number(config.get("max"))
    size = len(value) if str(config.get("trim-disabled")) == "true" else len(value.strip())
    if (low is None or size >= low) and (high is None or size <= high):
        return None
    if low is not None and high is not None:
        return "error-invalid-length", [low, high]
    name = "error-invalid-length-too-short" if low is not None else "error-invalid-length-too-long"
    return name, [low, high]


def username(value: str, _config: Doc) -> Problem | None:
    return ("error-username-invalid-character", []) if _USERNAME.search(value) else None


def one_script(value: str, _config: Doc) -> Problem | None:
    """Latin letters and what belongs to no script; combining marks, Greek, Cyrillic or Han could imitate another name."""
    for character in value:
        if unicodedata.category(character)[0] not in {"L", "M"}:
            continue
        if not unicodedata.name(character, "").startswith("LATIN "):
            return "error-username-invalid-character", []
    return None


def person_name(value: str, _config: Doc) -> Problem | None:
    return ("error-person-name-invalid-character", []) if _PERSON.search(value) else None


def email(value: str, _config: Doc) -> Problem | None:
    local, at, domain = value.rpartition("@")
    labels = domain.split(".")
    literal = re.fullmatch(r"\[[0-9A-Fa-f.:]+\]", domain)
    good = (
        bool(at)
        and len(local) <= 64
        and len(domain) <= 255
        and _EMAIL_LOCAL.fullmatch(local) is not None
        and (literal is not None or all(_LABEL.fullmatch(label) for label in labels))
    )
    return None if good else ("error-invalid-email", [value])


def pattern(value: str, config: Doc) -> Problem | None:
    wanted = str(config.get("pattern", ""))
    try:
        if re.fullmatch(wanted, value):
            return None
    except re.error:
        return "error-pattern-no-match", [wanted]
    return str(config.get("error-message") or "error-pattern-no-match"), [wanted]


def options(value: str, config: Doc) -> Problem | None:
    return None if value in config.get("options", []) else ("error-invalid-value", [])


def integer(value: str, config: Doc) -> Problem | None:
    return _ranged(value, config, int)


def double(value: str, config: Doc) -> Problem | None:
    return _ranged(value, config, float)


def _ranged(value: str, config: Doc, kind: Callable[[str], float]) -> Problem | None:
    try:
        number = kind(value)
    except ValueError:
        return "error-invalid-number", []
    low, high = _number(config.get("min")), _number(config.get("max"))
    if (low is not None and number < low) or (high is not None and number > high):
        return "error-number-out-of-range", [low, high]
    return None


def uri(value: str, _config: Doc) -> Problem | None:
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", value):
        return None
    return "error-invalid-uri", [value, "URI is not absolute"]


def local_date(value: str, _config: Doc) -> Problem | None:
    return None if _is_date(value) else ("error-invalid-date", [])


def iso_date(value: str, _config: Doc) -> Problem | None:
    return None if _is_date(value) else ("error-invalid-date", [value])


def _is_date(value: str) -> bool:
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _number(value: Any) -> int | None:
    return None if value in (None, "") else int(value)


BY_NAME: dict[str, Callable[[str, Doc], Problem | None]] = {
    "length": length,
    "username-prohibited-characters": username,
    "up-username-not-idn-homograph": one_script,
    "person-name-prohibited-characters": person_name,
    "email": email,
    "pattern": pattern,
    "options": options,
    "integer": integer,
    "double": double,
    "uri": uri,
    "local-date": local_date,
    "iso-date": iso_date,
}
# Known to the real server as well; they concern lists (checked by the profile itself) or sign-in pages only.
ALSO_KNOWN = {"multivalued", "up-immutable-attribute", "date", "not-blank", "not-empty"}
