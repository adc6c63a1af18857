"""`/manage/people/{username}/letters`: the e-mails to a person, and whether they were sent."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace_manager.letters import mail_outbox
from workspace_manager.web.pages.manage.people import get_person

PER_PAGE = 50


def overview(request: HttpRequest, username: str) -> HttpResponse:
    """Show all e-mails to a person, newest first."""
    person = get_person(username)
    rows = mail_outbox.to_person(person).order_by("-created_at", "-id")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    shown = [(row, mail_outbox.trouble_of(row)) for row in page.object_list]
    context = {"person": person, "page": page, "letters": shown}
    return render(request, "manage/sent.html", context)
