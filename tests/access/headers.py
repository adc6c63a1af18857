"""The headers that every answer has for a browser, whoever asks and whatever is answered."""

import re
from typing import Any

EXPECTED = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
ONLY_OURS = {
    "default-src": {"'none'"},
    "script-src": {"'self'"},
    "style-src": {"'self'"},
    "base-uri": {"'none'"},
    "frame-ancestors": {"'none'"},
}
"""Nothing inline, nothing evaluated, nothing framed, nothing from elsewhere."""
FRAMED = {"X-Frame-Options": "SAMEORIGIN"}
"""Of a letter that is shown inside one of our pages."""
SENSITIVE_COOKIES = {"sessionid"}


def wrong(response: Any) -> list[str]:
    """Say what an answer lacks: against framing, guessing of types, keeping in caches, script from
    elsewhere.
    """
    letter = "sandbox" in policy(response.headers.get("Content-Security-Policy", ""))
    found = [
        f"{name} is {response.headers.get(name)!r}"
        for name, value in (EXPECTED | FRAMED if letter else EXPECTED).items()
        if response.headers.get(name) != value
    ]
    if "no-store" not in response.headers.get("Cache-Control", ""):
        found.append(f"Cache-Control is {response.headers.get('Cache-Control')!r}")
    if letter:
        return found + _wrong_letter(response)
    found += _wrong_policy(response.headers.get("Content-Security-Policy", ""))
    for name in SENSITIVE_COOKIES & set(response.cookies):
        cookie = response.cookies[name]
        if not (cookie["httponly"] and cookie["samesite"] == "Lax") and cookie["max-age"] != 0:
            found.append(f"the cookie {name} is {cookie.output()}")
    if response.headers.get("Content-Type", "").startswith("text/html"):
        found += inline(response.content.decode())
    return found


def _wrong_letter(response: Any) -> list[str]:
    """A letter brings its style along, as letters must: so it runs nothing, loads nothing, has no
    origin, and only we frame it.
    """
    given = policy(response.headers["Content-Security-Policy"])
    wanted = {
        "default-src": {"'none'"},
        "style-src": {"'unsafe-inline'"},
        "img-src": {"data:"},
        "base-uri": {"'none'"},
        "form-action": {"'none'"},
        "frame-ancestors": {"'self'"},
        "sandbox": set(),
    }
    return [] if given == wanted else [f"the policy of a letter is {given}"]


def policy(text: str) -> dict[str, set[str]]:
    """A content security policy: each directive with its sources."""
    return {words[0]: set(words[1:]) for part in text.split(";") if (words := part.split())}


def inline(page: str) -> list[str]:
    """What of a page its own policy would refuse: script, style and handlers inside it."""
    found = re.findall(
        r"<script(?![^>]*\bsrc=)[^>]*>|<style\b|<[a-z]+[^>]*\s(?:style|on[a-z]+)=\"[^\"]*\"", page
    )
    found += re.findall(r"(?:href|action|src)=\"\s*javascript:[^\"]*\"", page, re.IGNORECASE)
    return [f"inline: {text[:80]}" for text in found]


def _wrong_policy(text: str) -> list[str]:
    given = policy(text)
    found = [
        f"the policy's {name} is {given.get(name)}"
        for name, sources in ONLY_OURS.items()
        if given.get(name) != sources
    ]
    loose = {"'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "*", "http:", "https:"}
    return found + [
        f"the policy's {name} is {sources}" for name, sources in given.items() if sources & loose
    ]
