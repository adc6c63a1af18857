"""The meaning of the drive's answers: opens the OCS envelope, JSON or XML, and turns a failure into
one of the five errors.

`Accept: application/json` is ignored on several error paths, and version 1 paths answer HTTP 200
for nearly every failure, so the HTTP status is read first, then `ocs.meta.statuscode`
(docs/systems/drive.md#the-ocs-envelope).
"""

import re
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.messages import message

BLOCK_S = 1800.0
"""Seconds a brute-force block lasts; the drive sends no Retry-After with it.

See docs/systems/drive.md#brute-force-protection.
"""
UNTRUSTED = 15
"""The code of an untrusted domain, in an answer instead of `status.php`."""
MAINTENANCE_S = 120.0
"""Seconds that the drive names on its pages during maintenance; its OCS answers name none."""
_DEEPEST = 50
_SENTENCE = re.compile(r"[^\x00-\x1f\x7f<>]{1,300}")


@dataclass(frozen=True)
class Envelope:
    """An OCS answer. `code`: 100 (version 1) or 200 (version 2) is a success."""

    code: int
    message: str
    data: Any


def open_envelope(answer: Answer) -> Envelope | None:
    """Return the envelope of a JSON or XML answer; None without one (HTML, truncated, another
    document).
    """
    document = _from_xml(answer) if "xml" in answer.content_type else answer.json_or_none()
    ocs = document.get("ocs") if isinstance(document, dict) else None
    meta = ocs.get("meta") if isinstance(ocs, dict) else None
    if not isinstance(ocs, dict) or not isinstance(meta, dict):
        return None
    try:
        code = int(str(meta["statuscode"]))
    except (KeyError, ValueError):
        return None
    said = meta.get("message")
    return Envelope(code, said.strip() if isinstance(said, str) else "", ocs.get("data"))


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
    """Return the envelope of a success; raise one of the five errors for everything else.

    This is the only place that decides what the drive's statuses and codes mean
    (docs/explanation/connectors.md#the-five-errors).
    """
    envelope = open_envelope(answer)
    code = envelope.code if envelope else 0
    if answer.status == 401 or code == 997:
        raise _not_logged_in(answer, envelope)
    if answer.status == 429 or code == 429:
        raise _blocked(answer)
    if answer.status >= 500 or code in {503, 996, 500}:
        raise _error_of_answer(answer, code)
    if answer.status == 412:
        raise answer.error(
            Invalid,
            message("csrf_failed"),
            advice=message("header_did_not_arrive"),
        )
    answer.raise_for_transient()
    if envelope is None:
        refuse_untrusted(answer)
        raise _no_envelope(answer)
    if answer.status == 200 and code in {100, 200}:
        return envelope
    raise _refusal(answer, envelope)


def _not_logged_in(answer: Answer, envelope: Envelope | None) -> ConnectorError:
    if envelope and envelope.message == "Current user is not logged in":
        return answer.error(
            Denied,
            message("not_logged_in"),
            advice=message("token_rejected"),
        )
    return answer.error(
        Denied,
        message("wrong_password"),
        advice=message("set_right_credential"),
    )


def _blocked(answer: Answer) -> ConnectorError:
    return answer.error(
        Unavailable,
        message("blocked"),
        advice=message("wait_or_reset"),
        retry_after=answer.retry_after or BLOCK_S,
    )


def _error_of_answer(answer: Answer, code: int) -> ConnectorError:
    if answer.status == 503 or code == 503:
        in_maintenance = answer.headers.get("x-nextcloud-maintenance-mode") == "1" or code == 503
        return answer.error(
            Unavailable,
            message("in_maintenance")
            if in_maintenance
            else message("answered", shape=answer.shape),
            advice=message("end_maintenance"),
            retry_after=answer.retry_after or (MAINTENANCE_S if in_maintenance else None),
        )
    return answer.error(
        Unavailable,
        message("internal_error", status=answer.status, code=code),
        advice=message("looked_at_again"),
    )


def refuse_untrusted(answer: Answer) -> None:
    """Raise Invalid if the drive does not accept the host name of the call; it says so on a page or
    instead of its status.
    """
    if answer.status != 400:
        return
    said = answer.json_or_none()
    of_status = isinstance(said, dict) and said.get("code") == UNTRUSTED
    # Its texts are translated; the name of the setting is not.
    if of_status or "trusted_domains" in answer.text:
        advice = message("not_a_trusted_domain")
        raise answer.error(Invalid, message("domain_not_trusted"), advice=advice)


def _no_envelope(answer: Answer) -> ConnectorError:
    return answer.error(
        Invalid,
        message("no_envelope", shape=answer.shape),
        advice=message("check_base_url_answers"),
    )


def _refusal(answer: Answer, envelope: Envelope) -> ConnectorError:
    code, said = envelope.code, envelope.message
    data = envelope.data if isinstance(envelope.data, dict) else {}
    gone = (code == 404 and "User not found" in {said, data.get("message")}) or (
        (code, said) in {(998, ""), (404, "User does not exist")}
    )
    if gone:
        return answer.error(NotFound, message("no_such_account", code=code))
    if code == 403 and said == "no app password in use":
        return answer.error(
            Conflict,
            message("no_app_password"),
            advice=message("look_what_attribute_holds"),
        )
    if code in {403, 105}:
        return answer.error(
            Denied,
            _with_its_words(message("not_allowed", code=code), said),
            advice=message("account_must_be_admin"),
        )
    if code in {101, 102}:
        return answer.error(
            Conflict,
            _with_its_words(
                message("refused_to_change" if code == 101 else "account_exists_102"), said
            ),
            advice=message("do_it_by_hand"),
        )
    return answer.error(
        Invalid,
        _with_its_words(message("answered_code", status=answer.status, code=code), said),
        advice=message("not_understood"),
    )


def _with_its_words(refusal: Message, said: str) -> Message:
    """Add the drive's own sentence to a refusal. Other texts are left out, because they may contain
    a credential.
    """
    words = said.split()
    if len(words) < 2 or not _SENTENCE.fullmatch(said) or any(len(one) > 40 for one in words):
        return refusal
    return message("in_its_own_words", refusal=refusal, said=said)
