"""Understand one answer of the drive: open the OCS envelope, JSON or XML, and turn a failure into one of the five errors.

`Accept: application/json` is ignored on several error paths, and version 1 paths answer HTTP 200 for nearly every failure, so the HTTP
status is read first, then `ocs.meta.statuscode` (facts, Nextcloud part 1, section 1).
"""

from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.http import Answer

BLOCK_S = 1800.0
"""Seconds a brute-force block lasts (specification, section 8); the drive sends no Retry-After with it."""
MAINTENANCE_S = 120.0
"""Seconds the drive itself names on its pages during maintenance; its OCS answers name none."""
_DEEPEST = 50


@dataclass(frozen=True)
class Envelope:
    """What an OCS answer says. `code`: 100 (version 1) or 200 (version 2) is success."""

    code: int
    message: str
    data: Any


def open_envelope(answer: Answer) -> Envelope | None:
    """Read the envelope of a JSON or XML answer; None when there is none (HTML, truncated, another document)."""
    document = _from_xml(answer) if "xml" in answer.content_type else answer.json_or_none()
    ocs = document.get("ocs") if isinstance(document, dict) else None
    meta = ocs.get("meta") if isinstance(ocs, dict) else None
    if not isinstance(ocs, dict) or not isinstance(meta, dict):
        return None
    try:
        code = int(str(meta["statuscode"]))
    except (KeyError, ValueError):
        return None
    message = meta.get("message")
    return Envelope(code, message.strip() if isinstance(message, str) else "", ocs.get("data"))


def _from_xml(answer: Answer) -> dict[str, Any] | None:
    try:
        root = fromstring(answer.content)
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return None
    return {"ocs": _plain(root, 0)} if root.tag == "ocs" else None


def _plain(element: Element, depth: int) -> Any:
    children = list(element)
    if not children:
        return [] if element.tag == "data" else (element.text or "")
    if depth > _DEEPEST:
        return ""
    if all(child.tag == "element" for child in children):
        return [_plain(child, depth + 1) for child in children]
    return {child.tag: _plain(child, depth + 1) for child in children}


def understand(answer: Answer) -> Envelope:
    """Give the envelope of a success; raise one of the five errors for everything else.

    The only place where the drive's statuses and codes get their meaning (contract, table of the five errors).
    """
    envelope = open_envelope(answer)
    code = envelope.code if envelope else 0
    if answer.status == 401 or code == 997:
        raise _not_logged_in(answer, envelope)
    if answer.status == 429 or code == 429:
        raise _blocked(answer)
    if answer.status >= 500 or code in {503, 996, 500}:
        raise _trouble(answer, code)
    if answer.status == 412:
        raise answer.error(
            Invalid,
            "it answered 412, CSRF check failed",
            advice="The header OCS-APIRequest did not arrive: look for a proxy before the drive that removes headers.",
        )
    answer.raise_for_transient()
    if envelope is None:
        raise _no_envelope(answer)
    if answer.status == 200 and code in {100, 200}:
        return envelope
    raise _refusal(answer, envelope)


def _not_logged_in(answer: Answer, envelope: Envelope | None) -> ConnectorError:
    if envelope and envelope.message == "Current user is not logged in":
        return answer.error(
            Denied,
            "it answered 401, current user is not logged in",
            advice="The token was rejected. Check that its audience names the drive's client id, that it has not expired, that the "
            "drive's provider checks bearer tokens, and that the drive reaches the identity provider (internal addresses need "
            "allow_local_remote_servers). With a password: two-factor sign-in needs an app password.",
        )
    return answer.error(
        Denied,
        "it answered 401, wrong user name or password, or a disabled account",
        advice="Set the right credential; it is not tried again until it changed, since repeated failures block our address.",
    )


def _blocked(answer: Answer) -> ConnectorError:
    return answer.error(
        Unavailable,
        "it answered 429, our address is blocked after too many failed sign-ins",
        advice="Wait 30 minutes, or reset the counters for our address (occ security:bruteforce:reset); find who sends a stale password.",
        retry_after=answer.retry_after or BLOCK_S,
    )


def _trouble(answer: Answer, code: int) -> ConnectorError:
    if answer.status == 503 or code == 503:
        in_maintenance = answer.headers.get("x-nextcloud-maintenance-mode") == "1" or code == 503
        return answer.error(
            Unavailable,
            "it is in maintenance" if in_maintenance else f"it answered {answer.shape}",
            advice="It is asked again. If this lasts: end the maintenance mode, or finish the upgrade.",
            retry_after=answer.retry_after or (MAINTENANCE_S if in_maintenance else None),
        )
    return answer.error(
        Unavailable,
        f"it answered an internal error (HTTP {answer.status}, code {code})",
        advice="The action may have been done all the same: it is looked at again before anything else. See the drive's log.",
    )


def _no_envelope(answer: Answer) -> ConnectorError:
    if answer.status == 400:
        return answer.error(
            Invalid,
            f"it answered {answer.shape} instead of OCS",
            advice="Probably our address is not one of the drive's trusted domains (trusted_domains).",
        )
    return answer.error(
        Invalid,
        f"it answered {answer.shape} instead of OCS",
        advice="Check the base URL: a proxy, a login page or another program may be answering.",
    )


def _refusal(answer: Answer, envelope: Envelope) -> ConnectorError:
    code, message = envelope.code, envelope.message
    data = envelope.data if isinstance(envelope.data, dict) else {}
    gone = (code == 404 and "User not found" in {message, data.get("message")}) or (
        (code, message) in {(998, ""), (404, "User does not exist")}
    )
    if gone:
        return answer.error(NotFound, f"it knows no such account (code {code})")
    if code == 403 and message == "no app password in use":
        return answer.error(
            Conflict,
            "what is stored is no app password",
            advice="A real password or a token cannot be revoked this way: look what the attribute holds.",
        )
    if code in {403, 105}:
        return answer.error(
            Denied,
            f"it answered {code}, not allowed",
            advice="The account we use must be in the drive's group admin, and its address among the allowed ones.",
        )
    if code in {101, 102}:
        return answer.error(
            Conflict,
            "it refused to change this account (code 101)"
            if code == 101
            else "the account exists (code 102)",
            advice="It is our own administrator account, or its back-end forbids the change: do it by hand.",
        )
    return answer.error(
        Invalid,
        f"it answered HTTP {answer.status} with code {code}",
        advice="The drive did not understand the call: check the base URL and the drive's version.",
    )
