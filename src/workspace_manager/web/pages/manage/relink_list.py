"""`/manage/strangers/list`: a list with the present account of each person, previewed row by row
and then linked in one order.

Nothing is stored in between: the page carries the list, and the digest of its preview.
"""

from collections import Counter
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from workspace_manager.core.csv_table import BadFile
from workspace_manager.core.messages import message
from workspace_manager.reconcile import link_list, link_list_file
from workspace_manager.reconcile.link_list import MOST, Result, Row
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import notice_of, on_error
from workspace_manager.wiring import connected_systems

TEMPLATE: Final = "manage/relink_list.html"
WRONG_SHOWN: Final = 20
"""The most errors of a list that are named."""
OUTCOMES: Final[dict[str, tuple[str, str | Promise]]] = {
    "found": ("pending", gettext_lazy("will be linked")),
    "linked": ("done", gettext_lazy("is linked")),
    "already": ("already", gettext_lazy("already linked")),
    "left_out": ("skipped", gettext_lazy("left out")),
    "later": ("waiting", gettext_lazy("not processed")),
}
"""Results of a row: the look of its state, and its label."""


class ListForm(forms.Form):
    """The list, pasted or as a file."""

    text = forms.CharField(
        label=gettext_lazy("The list"),
        required=False,
        widget=forms.Textarea(
            attrs={"rows": 8, "spellcheck": "false", "placeholder": "username,account"}
        ),
        help_text=gettext_lazy(
            "A table with the columns username and account: the new id at the identity provider, "
            "or the confirmed address of the account there."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a file"),
        required=False,
        help_text=gettext_lazy("The same table, as a spreadsheet writes it (CSV, UTF-8)."),
    )


def _page(request: HttpRequest, results: list[Result] | None = None) -> HttpResponse:
    """Show the errors of a list, or the results of its rows; for a changed list, a new preview."""
    data, notice = _data(request), notice_of(request)
    text = data.decode("utf-8-sig", errors="replace")
    context: dict[str, Any] = {"form": ListForm(initial={"text": text}), "text": text}
    if notice and notice.lines:
        more = max(0, len(notice.lines) - WRONG_SHOWN)
        context |= {"wrong": notice.lines[:WRONG_SHOWN], "more": more, "trouble": None}
    else:
        context |= _rows(link_list.look(_read(data)) if results is None else results)
        context["done"] = notice is None and bool(request.POST.get("digest"))
    return render(request, TEMPLATE, context)


@on_error(_page)
def relink_list(request: HttpRequest) -> HttpResponse:
    """Ask for the list, preview it, and link what was previewed."""
    if request.method != "POST":
        return render(request, TEMPLATE, {"form": ListForm()})
    rows, digest = _read(_data(request)), request.POST.get("digest", "")
    if not digest:
        return _page(request, link_list.look(rows))
    actor, systems = person_of(request).username, connected_systems()
    return _page(request, link_list.link(rows, shown=digest, actor=actor, systems=systems))


def _read(data: bytes) -> list[Row]:
    """Return the rows of a list. Raises BadFile."""
    rows = link_list_file.rows_of(data)
    if len(rows) > MOST:
        raise BadFile([(0, message("table_rows", most=MOST))])
    return rows


def _data(request: HttpRequest) -> bytes:
    """Return the sent list. A file precedes pasted text, because it was chosen last."""
    form = ListForm(request.POST, request.FILES)
    form.is_valid()
    file = form.cleaned_data.get("file")
    if not file:
        return str(form.data.get("text", "")).encode()
    file.seek(0)
    return bytes(file.read())


def _rows(results: list[Result]) -> dict[str, Any]:
    counts = Counter(str(one.outcome) for one in results)
    words = [(word, counts[name]) for name, (_state, word) in OUTCOMES.items()]
    return {
        "results": [(one, *OUTCOMES[one.outcome]) for one in results],
        "counts": [(word, count) for word, count in words if count],
        "digest": link_list.digest(results),
        "to_link": counts["found"],
    }
