"""Letters to people, written in their language and left for the worker to send.

A mail server that is down delays a letter, never the thing it tells of.
"""

from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from workspace_manager.records.models import Mail, Person, Plan, Registration

BATCH = 50
LONGEST_WAIT_S = 900


def approved(registration: Registration) -> None:
    """Tell somebody that the account is there and how to sign in."""
    _write("approved", registration, sign_in_url=f"{settings.BASE_URL}/sign-in")


def rejected(registration: Registration) -> None:
    """Tell somebody no, and why."""
    _write("rejected", registration, reason=registration.reason)


def confirm_email(registration: Registration, clear: str) -> None:
    """Send the link that confirms an address. The letter holds the link and nothing of the account."""
    _write(
        "confirm_email", registration, confirm_url=f"{settings.BASE_URL}/register/confirm/{clear}"
    )


def expires_soon(registration: Registration) -> None:
    """Tell somebody that nobody has decided yet and when the registration ends."""
    _write("expires_soon", registration)


def expired(registration: Registration) -> None:
    """Tell somebody that the registration ended undecided."""
    _write("expired", registration)


def removal_finished(plan: Plan) -> None:
    """Tell the administrator who approved a removal that it is finished."""
    administrator = Person.objects.filter(username=plan.approved_by).first()
    if administrator and administrator.email:
        url = f"{settings.BASE_URL}/manage/plans/{plan.id}"
        words: dict[str, object] = {"plan": plan, "plan_url": url}
        _letter("removal_finished", administrator.email, administrator.locale, words)


def _write(letter: str, registration: Registration, **words: object) -> None:
    if registration.email:
        _letter(
            letter, registration.email, registration.locale, {"registration": registration, **words}
        )


def _letter(letter: str, to: str, locale: str, words: dict[str, object]) -> None:
    context = {"base_url": settings.BASE_URL, **words}
    with translation.override("de" if locale.lower().startswith("de") else "en"):
        text = render_to_string(f"letters/{letter}.txt", context)
        html = render_to_string(f"letters/{letter}.html", context)
    subject, _, body = text.partition("\n")
    Mail.objects.create(to=to, subject=subject.strip()[:200], text=body.strip(), html=html)


def send_due() -> int:
    """Send what waits; gives how many went out. A failure is tried again later, for ever, and tells nobody's address."""
    sent = 0
    for mail in Mail.objects.filter(sent_at=None, next_try_at__lte=timezone.now())[:BATCH]:
        # Moved on before the attempt: a worker killed in between sends late rather than twice at once.
        wait = timedelta(seconds=min(30 * 2 ** min(mail.attempts, 10), LONGEST_WAIT_S))
        taken = Mail.objects.filter(id=mail.id, attempts=mail.attempts, sent_at=None).update(
            attempts=mail.attempts + 1, next_try_at=timezone.now() + wait
        )
        if not taken:
            continue
        message = EmailMultiAlternatives(
            mail.subject, mail.text, settings.DEFAULT_FROM_EMAIL, [mail.to]
        )
        message.attach_alternative(mail.html, "text/html")
        try:
            message.send()
        except OSError:  # smtplib's errors are OSErrors too
            continue
        Mail.objects.filter(id=mail.id).update(sent_at=timezone.now(), text="", html="")
        sent += 1
    return sent
