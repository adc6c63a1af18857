"""Letters to people, written in their language and left for the worker to send.

A mail server that is down delays a letter, never the thing it tells of.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from django.conf import settings

from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.messages import message, parse_message
from workspace_manager.letters import access_letters, change_notices
from workspace_manager.letters.letter import Letter, in_language, render_letter, zone_of
from workspace_manager.letters.mail_outbox import administrators_to_tell, post
from workspace_manager.records.models import Person, Plan, Registration, Suspension

LANGUAGES: Final = ("en", "de")
LETTERS: Final = (
    "confirm_email",
    "approved",
    "rejected",
    "expires_soon",
    "expired",
    "removal_finished",
    "suspension_ends",
    *access_letters.LETTERS,
    *change_notices.LETTERS,
    "notice",
    "notice_over",
    "notice_digest",
)
"""Every letter there is, in the order of a life; then those about what waits."""


@dataclass(frozen=True)
class NoticeLine:
    """One thing that waits, or waited, as a letter says it. `address`: where to do something about
    it.
    """

    what: Message
    why: Message | None = None
    address: str = ""


def write_approval(registration: Registration, *, announced: str = "") -> None:
    """Tell somebody that the account is there and how to sign in. `announced`: that they shall be
    an administrator ("by_itself"), or shall be confirmed as one ("to_confirm").
    """
    url = f"{settings.BASE_URL}/sign-in"
    _write("approved", registration, sign_in_url=url, announced=announced)


def write_rejection(registration: Registration) -> None:
    """Tell somebody no, and why."""
    _write("rejected", registration, reason=registration.reason)


def confirm_email(registration: Registration, clear: str) -> None:
    """Send the link that confirms an address. The letter holds the link and nothing of
    the account. What stands after the `#` goes to no server, and so into no log.
    """
    _write(
        "confirm_email", registration, confirm_url=f"{settings.BASE_URL}/register/confirm#{clear}"
    )


def expires_soon(registration: Registration) -> None:
    """Tell somebody that nobody has decided yet and when the registration ends."""
    _write("expires_soon", registration)


def write_expiry(registration: Registration) -> None:
    """Tell somebody that the registration ended undecided."""
    _write("expired", registration)


def removal_finished(plan: Plan, headline: Message, *, open_: bool = False) -> None:
    """Tell the administrator who approved a removal that it is finished, in the words of its
    headline. `open_`: something of it is open still, and the subject says so.
    """
    for administrator in administrators_to_tell(plan.approved_by):
        language = in_language(administrator.locale)
        zone = administrator.timezone
        letter = _removal_finished(plan, headline, language, zone, open_=open_)
        post(letter, "removal_finished", to=administrator)


def suspension_ends(suspension: Suspension) -> None:
    """Tell the administrator who ordered a suspension that it ends soon, by itself."""
    for administrator in administrators_to_tell(suspension.by):
        language = in_language(administrator.locale)
        letter = _suspension_ends(suspension, language, administrator.timezone)
        post(letter, "suspension_ends", to=administrator)


def _suspension_ends(suspension: Suspension, language: str, zone: str = "") -> Letter:
    name = suspension.person.username
    url = f"{settings.BASE_URL}/manage/people/{quote(name, safe='')}/suspension"
    until = message("at", moment=suspension.until or suspension.since)
    moment = in_words(until, language, zone_of(zone))
    words = {"name": name, "until": moment, "reason": suspension.reason, "url": url}
    return render_letter("suspension_ends", language, words)


def notice(person: Person, letter: str, things: Sequence[NoticeLine], *, more: int = 0) -> None:
    """Tell somebody what waits, is over ("notice_over") or waits by today ("notice_digest"), in one
    letter. `more`: how many other things are not named.
    """
    language = in_language(person.locale)
    post(_notice(letter, things, more, language, person.timezone), letter, to=person)


def _notice(
    letter: str, things: Sequence[NoticeLine], more: int, language: str, zone: str = ""
) -> Letter:
    def said(what: Message) -> str:
        # A subject is one line.
        return " ".join(in_words(what, language, zone_of(zone)).split())

    lines = [
        {
            "what": said(one.what),
            "why": said(one.why) if one.why else "",
            "url": f"{settings.BASE_URL}{one.address}" if one.address else "",
        }
        for one in things
    ]
    words = {"lines": lines, "more": more, "total": len(lines) + more}
    return render_letter(letter, language, words)


def _removal_finished(
    plan: Plan, headline: Message, language: str, zone: str = "", *, open_: bool = False
) -> Letter:
    url = f"{settings.BASE_URL}/manage/plans/{plan.id}"
    findings = [in_words(parse_message(finding), language) for finding in plan.findings]
    said = in_words(headline, language, zone_of(zone))
    words = {
        "plan": plan, "plan_url": url, "findings": findings, "headline": said, "open": open_,
    }  # fmt: skip
    return render_letter("removal_finished", language, words)


def _write(letter: str, registration: Registration, **words: object) -> None:
    if registration.email:
        language = in_language(registration.locale)
        post(
            render_letter(letter, language, {"registration": registration, **words}),
            letter,
            to=registration,
        )


def preview(letter: str, language: str) -> Letter:
    """One letter with made-up words, as it would be sent. Raises KeyError for a letter or language
    there is not.
    """
    if letter not in LETTERS or language not in LANGUAGES:
        raise KeyError(letter)
    if letter == "suspension_ends":
        person = Person(username="carla.rossi")
        row = Suspension(person=person, until=datetime(2030, 1, 31, 7, tzinfo=UTC), by="")
        return _suspension_ends(row, language)
    if letter in access_letters.LETTERS:
        return access_letters.preview(letter, language)
    if letter in change_notices.LETTERS:
        return change_notices.preview(language)
    if letter.startswith("notice"):
        asks = message("example.registration", name="carla.rossi")
        down = message("example.down", system="drive")
        things = [NoticeLine(down, None, "/manage/systems"), NoticeLine(asks, None, "/inbox")]
        return _notice(letter, things, 37, language)
    if letter == "removal_finished":
        left = message("left_by_hand", label="Notes", name="ws_notes")
        plan = Plan(
            id=uuid.UUID(int=0), person="carla.rossi", findings=[left.model_dump(mode="json")]
        )
        out = message("example.removal", name=plan.person)
        return _removal_finished(plan, out, language)
    registration = Registration(
        username="carla.rossi",
        email="carla.rossi@example.org",
        first_name="Carla",
        last_name="Rossi",
        locale=language,
    )
    words: dict[str, object] = {
        "registration": registration,
        "reason": "Die Gruppe ist voll." if language == "de" else "The group is full.",
        "sign_in_url": f"{settings.BASE_URL}/sign-in",
        "confirm_url": f"{settings.BASE_URL}/register/confirm#…",
    }
    return render_letter(letter, language, words)
