"""`/manage/letters`: every e-mail of the manager, in both languages, as it would be sent, and the
outbox.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.clickjacking import xframe_options_sameorigin

from workspace_manager.letters import emails, mail_outbox
from workspace_manager.letters.emails import LANGUAGES, LETTERS
from workspace_manager.letters.letter import Letter, in_language
from workspace_manager.web.headers import POLICY, identity_provider_origin

AS_A_LETTER = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; "
    "frame-ancestors 'self'; sandbox"
)
"""Content security policy of a shown e-mail: like a mail program, it runs nothing. E-mails carry
their style inline, which our pages may not.
"""


def overview(request: HttpRequest) -> HttpResponse:
    """Show the subjects of all e-mails, and the outbox."""
    language = get_language() or "en"
    shown = [(name, emails.preview(name, _language(language)).subject) for name in LETTERS]
    return render(
        request, "manage/letters.html", {"letters": shown, "outbox": mail_outbox.outbox()}
    )


def detail(request: HttpRequest, letter: str) -> HttpResponse:
    """Show one e-mail with made-up values: subject, plain text, and the HTML as in a mail
    program.
    """
    language, shown = _preview_asked_for(request, letter)
    context: dict[str, Any] = {
        "name": letter,
        "letter": shown,
        "language": language,
        "languages": LANGUAGES,
    }
    response = render(request, "manage/letter.html", context)
    policy = POLICY.format(origin=identity_provider_origin()).replace(" ;", ";")
    response.headers["Content-Security-Policy"] = f"{policy}; frame-src 'self'"
    return response


@xframe_options_sameorigin
def html(request: HttpRequest, letter: str) -> HttpResponse:
    """Show only the HTML of an e-mail."""
    _, shown = _preview_asked_for(request, letter)
    return HttpResponse(shown.html, headers={"Content-Security-Policy": AS_A_LETTER})


def _preview_asked_for(request: HttpRequest, letter: str) -> tuple[str, Letter]:
    language = request.GET.get("language") or _language(get_language() or "en")
    try:
        return language, emails.preview(letter, language)
    except KeyError as unknown:
        raise Http404 from unknown


def _language(text: str) -> str:
    return in_language(text)
