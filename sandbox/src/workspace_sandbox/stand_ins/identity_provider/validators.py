"""The checks a user profile can ask for, with the messages and parameters the real
server answers.
"""

import re
import unicodedata
from collections.abc import Callable
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
    """Latin letters and what belongs to no script; combining marks, Greek, Cyrillic or Han could
    imitate another name.
    """
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
    """A sentence that somebody wrote for it stands in the place of the message."""
    wanted = str(config.get("pattern") or "")
    if re.fullmatch(wanted, value):
        return None
    return str(config.get("error-message") or "error-pattern-no-match"), [wanted]


def _number(value: Any) -> int | None:
    return None if value in (None, "") else int(value)


BY_NAME: dict[str, Callable[[str, Doc], Problem | None]] = {
    "length": length,
    "username-prohibited-characters": username,
    "up-username-not-idn-homograph": one_script,
    "person-name-prohibited-characters": person_name,
    "email": email,
    "pattern": pattern,
}
# Known to the real server as well; nobody here declares an attribute with one of them.
ALSO_KNOWN = {
    *(
        "multivalued",
        "up-immutable-attribute",
        "date",
        "not-blank",
        "not-empty",
        "options",
    ),
    *("integer", "double", "uri", "local-date", "iso-date"),
}
