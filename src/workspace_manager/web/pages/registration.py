"""`/register`: the registration form. Its answer is the same page for everybody."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from workspace_manager.core.refusal import BadInput
from workspace_manager.people import confirm_email, passwords
from workspace_manager.people.register import complaints
from workspace_manager.people.register import register as ask_to_join
from workspace_manager.web.pages.answers import complain, on_error
from workspace_manager.web.pages.register_form import LEAST_S, RegisterForm, stamp
from workspace_manager.web.rate import allow

SCORED_AN_HOUR = 3_000
"""The most scored passwords an hour for one address. Thirty people behind one address get a hundred
each.
"""


def _show(request: HttpRequest, form: RegisterForm) -> HttpResponse:
    context = {
        "form": form,
        "strength": None,
        "least_s": LEAST_S,
        "expiry_days": settings.REGISTRATION_EXPIRY_DAYS,
    }
    return render(request, "registration/form.html", context)


def _show_again(request: HttpRequest) -> HttpResponse:
    form = RegisterForm(request.POST)
    complain(request, form)
    return _show(request, form.fresh())


@on_error(_show_again)
def register(request: HttpRequest) -> HttpResponse:
    """Show the form, or store a registration for an administrator to decide."""
    if request.method != "POST":
        return _show(
            request, RegisterForm(initial={"stamp": stamp(), "locale": request.LANGUAGE_CODE})
        )
    wait = allow(request, "registration")
    if wait is not None:
        response = render(
            request, "registration/too_many.html", {"minutes": max(1, wait // 60)}, status=429
        )
        response.headers["Retry-After"] = str(wait)
        return response
    form = RegisterForm(request.POST)
    if form.is_trap_sprung():
        return HttpResponseRedirect(reverse("registration_received"))
    if not form.is_valid():
        # The story's errors are added, so that nobody has to correct the form twice.
        raise BadInput(complaints(form.as_typed()))
    ask_to_join(form.application())
    return HttpResponseRedirect(reverse("registration_received"))


def registration_received(request: HttpRequest) -> HttpResponse:
    """Show the same page to everybody."""
    return render(request, "registration/received.html")


@sensitive_variables()
@sensitive_post_parameters()
def confirm(request: HttpRequest) -> HttpResponse:
    """Confirm an address by the link of an e-mail. Opening the link changes nothing, because
    programs that read mail open links, too; the button confirms.

    The secret of the link follows its `#`, which browsers do not send, so that no log contains it.
    JavaScript puts it into the form.
    """
    if request.method != "POST":
        return render(request, "registration/confirm.html")
    typed = request.POST.get("token", "").rpartition("#")[2].strip()
    done = confirm_email.confirm(typed)
    return render(
        request, "registration/confirmed.html", {"done": done}, status=200 if done else 410
    )


def strength(request: HttpRequest) -> HttpResponse:
    """Show the strength of a password while it is typed; nothing is stored. An address that asks
    too often is told to wait. `register` has a limit of its own, and scores the sent password.
    """
    password = request.POST.get("password", "")
    if allow(request, "password strength", limit=SCORED_AN_HOUR) is not None:
        return render(request, "registration/strength.html", {"is_too_often": True})
    about = [
        request.POST.get(name, "")[:100]
        for name in ("username", "email", "first_name", "last_name")
    ]
    context = {"strength": _score(password, [word for word in about if word]) if password else None}
    return render(request, "registration/strength.html", context)


def _score(password: str, about: list[str]) -> dict[str, object]:
    score = passwords.score(password, about=about)
    return {
        "score": score,
        "enough": score >= passwords.WEAKEST_SCORE and len(password) >= passwords.SHORTEST,
        "short": len(password) < passwords.SHORTEST,
        "shortest": passwords.SHORTEST,
    }
