"""Replace what is secret in a recording by placeholders of the same length, the same one for the
same secret.

Done twice: by `tools/copy_recordings.py`, so that no secret gets into the repository, and by the
reader, so that recordings from elsewhere look like our own. Replacing twice changes nothing. A
placeholder shows 16 bits of the secret's hash: enough to tell keys apart, too few to find a secret
by them.
"""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_plus

WORD = "placeholder"
SHORTEST = 8
"""Values of parameters and cookies that are shorter (`state=st`) were made up by whoever recorded,
and hide nothing.
"""
_FEW = 4
"""A long value of so few different characters (`00000000-0000-…`) is no secret either."""

_HEX = set("0123456789abcdef")
_JWT = re.compile(r"eyJ[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]*")
_CODE_WITH_CLAIMS = re.compile(r"(?<=[?&]code=)(eyJ[A-Za-z0-9_-]+)")
_SCHEME = re.compile(r"(?im)^([<>] authorization: *)(\w+)( +)(\S+)")
_NO_SCHEME = re.compile(r"(?im)^([<>] authorization: *)([^\s]{16,})$")
_HEADER = re.compile(r"(?im)^([<>] (?:x-api-key|x-csrf-token): *)(\S+)")
_COOKIE = re.compile(r"(?im)^(> cookie: *)(.+)$")
_SET_COOKIE = re.compile(r"(?im)^(< set-cookie: *)([^=;\s]+)=([^;\s]*)")
_NONCE = re.compile(r"('nonce-)([A-Za-z0-9+/=]+)(')")
_MEMBER = re.compile(
    r'(?i)("(?:[a-z_]*(?:password|secret|_token|jwt|apikey)|token|digest)"\s*:\s*(?:\[\s*)?")((?:[^"\\]|\\.)+?)("|(?=\.\.\.\[cut\]))'
)
_TYPED_VALUE = re.compile(
    r'("(?:type"\s*:\s*"(?:password|secret)"|credentials"\s*:\s*\[\s*\{)[^{}]*?"value"\s*:\s*")((?:[^"\\]|\\.)+)(")'
)
_INNER = re.compile(r'(\\"(?:value|salt)\\"\s*:\s*\\")([^"\\]+)(\\")')
_PART = re.compile(
    r'(?i)(; name="(?:password|client_secret)"\r?\n(?:> ?)?\r?\n(?:> )?)([^\r\n]+)()'
)
_ELEMENT = re.compile(r"(<(?:apppassword|token)>)([^<]+)(<)")
_NAMES = (
    "password|client_secret|code|refresh_token|access_token|token|id_token_hint|stateToken|requesttoken"
    "|code_verifier|code_challenge|session_code|state|nonce|session_state|tab_id|x-api-key"
)
_PARAMETER = re.compile(rf"(?i)((?<![A-Za-z_-])(?:{_NAMES})=)([^&\s\"'<]+)")
_NESTED = re.compile(rf"(?i)((?<![A-Za-z_-])(?:{_NAMES})%(?:25)?3D)([A-Za-z0-9_.~-]+)")
_FLOW = re.compile(r"(v2\\?/flow\\?/)([A-Za-z0-9]{64,})()")
_LONG = re.compile(r"()\b([A-Za-z0-9]{72}|[A-Za-z0-9]{128})\b()")
_PREFIX = re.compile(r'("prefix":")(ptr_[^"]+)(")')
_BCRYPT = re.compile(r"()(\$2[aby]\$\d\d\$[./A-Za-z0-9]{53})()")
_LISTED_KEY = re.compile(r"(?m)((?:^  |Generated API key:\s+))([0-9a-f-]{36})(?=\s)()")
_WITH_PARAMETERS = re.compile(r"(?im)^(?:> [A-Z]+ \S+ HTTP/|< location:|> \w[\w.-]*=).*$")
_PLAIN_COOKIES = {"nc_username"}
_MARKS = {"nonce", "jti", "sid", "at_hash", "c_hash", "s_hash", "session_state", "state_checker"}
"""Claims that tie a token to a sign-in or a session."""
_NOT_SECRET = re.compile(r"This field |must be ")

Claims = dict[str, dict[str, Any]]


def placeholder(secret: str) -> str:
    """Give the placeholder of a secret; of a placeholder itself, or of nothing, the same again."""
    core = secret.rstrip("=")
    made_up = (len(core) >= 2 * SHORTEST and len(set(core) - {"-"}) <= _FEW) or "\ufffd" in core
    if not core or made_up or is_placeholder(core):
        return secret
    mark = hashlib.sha256(core.encode()).hexdigest()[:4]
    text = f"{WORD}{mark}" if len(core) >= len(WORD) + 4 else f"{mark}{WORD}"
    return text[: len(core)].ljust(len(core), "x") + "=" * (len(secret) - len(core))


def is_placeholder(text: str) -> bool:
    if len(text) >= len(WORD) + 4:
        mark = text[len(WORD) : len(WORD) + 4]
        return text.startswith(WORD) and set(mark) <= _HEX and not text[len(WORD) + 4 :].strip("x")
    return set(text[:4]) <= _HEX and text[4:] == WORD[: max(0, len(text) - 4)]


def redact(text: str, found: dict[str, str] | None = None) -> tuple[str, Claims]:
    """Give the text of a recording without its secrets, and what the tokens in it claimed.

    `found` collects secret -> placeholder.
    """
    claims: Claims = {}

    def hide(secret: str) -> str:
        shown = placeholder(secret)
        if found is not None and shown != secret:
            found[secret] = shown
        return shown

    def token(match: re.Match[str]) -> str:
        shown = hide(match[0])
        decoded = _decoded(match[1])
        if decoded is not None:
            claims[shown] = {
                name: hide(value)
                if name in _MARKS and isinstance(value, str) and len(value) >= SHORTEST
                else value
                for name, value in decoded.items()
            }
        return shown

    text = _JWT.sub(token, text)
    text = _CODE_WITH_CLAIMS.sub(token, text)
    text = _SCHEME.sub(lambda m: m[1] + m[2] + m[3] + _credential(m[2], m[4], hide), text)
    text = _NO_SCHEME.sub(lambda m: m[1] + hide(m[2]), text)
    text = _HEADER.sub(lambda m: m[1] + hide(m[2]), text)
    text = _COOKIE.sub(lambda m: m[1] + _cookies(m[2], hide), text)
    text = _SET_COOKIE.sub(lambda m: f"{m[1]}{m[2]}={_cookie(m[2], m[3], hide)}", text)
    for pattern in (
        _NONCE,
        _MEMBER,
        _TYPED_VALUE,
        _INNER,
        _PART,
        _ELEMENT,
        _FLOW,
        _LONG,
        _PREFIX,
        _BCRYPT,
        _LISTED_KEY,
    ):
        text = pattern.sub(
            lambda m: m[0] if _NOT_SECRET.match(m[2]) else m[1] + hide(m[2]) + m[3], text
        )
    return _WITH_PARAMETERS.sub(lambda m: _parameters(m[0], hide), text), claims


def _credential(scheme: str, value: str, hide: Callable[[str], str]) -> str:
    """Hide a credential; of HTTP Basic the password only."""
    if scheme.lower() != "basic":
        return hide(value)
    try:
        name, colon, password = base64.b64decode(value, validate=True).decode().rpartition(":")
    except (binascii.Error, UnicodeDecodeError):
        return value
    return base64.b64encode(f"{name}{colon}{hide(password)}".encode()).decode() if colon else value


def _cookies(text: str, hide: Callable[[str], str]) -> str:
    pairs = (part.strip().partition("=") for part in text.split(";"))
    return "; ".join(f"{name}{is_}{_cookie(name, value, hide)}" for name, is_, value in pairs)


def _cookie(name: str, value: str, hide: Callable[[str], str]) -> str:
    if len(value) < SHORTEST or name in _PLAIN_COOKIES:
        return value
    return hide(value)


def _parameters(line: str, hide: Callable[[str], str]) -> str:
    def one(match: re.Match[str]) -> str:
        value = unquote_plus(match[2])
        is_password = match[1].lower().startswith(("password", "client_secret"))
        if is_placeholder(value) or (len(value) < SHORTEST and not is_password):
            return match[0]
        return match[1] + hide(value).replace("=", "%3D")

    return _NESTED.sub(one, _PARAMETER.sub(one, line))


def _decoded(part: str) -> dict[str, Any] | None:
    try:
        found = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
