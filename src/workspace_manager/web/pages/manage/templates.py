"""`/manage/templates`: templates of knowledge stacks: add, try, offer and withdraw them."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.knowledge_stacks import templates
from workspace_manager.knowledge_stacks.compose_features import PROVIDED
from workspace_manager.knowledge_stacks.compose_text import LONGEST
from workspace_manager.records.models import StackTemplate
from workspace_manager.web.pages import labels
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import complain, message_on, on_error, refuse_invalid
from workspace_manager.wiring import connected_systems

PER_PAGE: Final = 50
FREE_ROWS: Final = 3
"""The number of empty rows for further parameters."""
VARIABLES: Final = [" ".join(f"${{{name}}}" for name in names) for names in PROVIDED.values()]
"""What the compose file can use: a line for what every stack has, and for each need."""


def _needs() -> list[tuple[str, str]]:
    """Return what a template can need, in the reader's language."""
    return [
        ("sign_in", _("Sign-in with the workspace account (a client and two groups)")),
        ("sql_database", labels.kind("sql_database")),
        ("triplestore_repository", labels.kind("triplestore_repository")),
        ("drive", _("The owner’s files in the drive")),
    ]


class TemplateForm(forms.Form):
    """A template as typed; its parameters are in rows of their own."""

    name = forms.CharField(
        label=gettext_lazy("Short name"),
        max_length=40,
        help_text=gettext_lazy("For programs: a-z, 0-9 and “-”. It never changes."),
    )
    label = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=4000,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy(
            "What the template is for. People read it when they choose a template."
        ),
    )
    compose = forms.CharField(
        label=gettext_lazy("Compose file"),
        max_length=LONGEST + 1,
        strip=False,
        widget=forms.Textarea({"rows": 18, "spellcheck": "false", "class": "code"}),
    )
    needs = forms.MultipleChoiceField(
        label=gettext_lazy("What it needs"),
        choices=_needs,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    web_service = forms.CharField(
        label=gettext_lazy("Service to open in the browser"), required=False, max_length=63
    )
    web_port = forms.IntegerField(
        label=gettext_lazy("Port inside the container"), initial=80, min_value=1, max_value=65535
    )
    health_path = forms.CharField(
        label=gettext_lazy("Health check path"), initial="/", max_length=200
    )
    health_text = forms.CharField(
        label=gettext_lazy("Text in the health check’s answer"), required=False, max_length=200
    )
    open_path = forms.CharField(label=gettext_lazy("Start path"), initial="/", max_length=200)
    redirect_path = forms.CharField(
        label=gettext_lazy("Sign-in callback path"),
        initial="/oidc/callback",
        max_length=200,
    )


def overview(request: HttpRequest) -> HttpResponse:
    """Show all templates with the number of knowledge stacks made from each."""
    page = Paginator(templates.templates_with_counts(), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "manage/templates.html", {"page": page})


def _show_form(request: HttpRequest, name: str = "") -> HttpResponse:
    template = _get_template(name) if name else None
    if request.method == "POST":
        form, rows = _form(request, template), _typed_rows(request.POST)
        complain(request, form)
    elif template:
        form = TemplateForm(
            initial={field: getattr(template, field) for field in TemplateForm.base_fields}
        )
        rows = template.parameters
    else:
        form, rows = TemplateForm(), []
    free = [{"name": "", "label": "", "default": "", "required": False}] * FREE_ROWS
    context = {
        "form": form,
        "rows": [*rows, *free],
        "template": template,
        "variables": VARIABLES,
    }
    return render(request, "manage/template.html", context)


def _form(request: HttpRequest, template: StackTemplate | None) -> TemplateForm:
    form = TemplateForm(request.POST)
    if template:
        form.fields["name"].required = False
    return form


@on_error(_show_form)
def new(request: HttpRequest) -> HttpResponse:
    """Add a template as a draft."""
    return _save(request, None) if request.method == "POST" else _show_form(request)


@on_error(_show_form)
def detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show or change a template."""
    if request.method != "POST":
        return _show_form(request, name)
    return _save(request, _get_template(name))


def _save(request: HttpRequest, template: StackTemplate | None) -> HttpResponse:
    form = _form(request, template)
    refuse_invalid(form)
    typed = {**form.cleaned_data, "name": template.name if template else form.cleaned_data["name"]}
    typed["compose"] = typed["compose"].replace("\r\n", "\n")
    parameters = [templates.Parameter(**row) for row in _typed_rows(request.POST)]
    draft = templates.Draft(parameters=parameters, **typed)
    actor, systems = person_of(request).username, connected_systems()
    if template:
        templates.change(template, draft, actor=actor, systems=systems)
    else:
        templates.add(draft, actor=actor, systems=systems)
    messages.success(request, _("Saved. All its features are supported."))
    return HttpResponseRedirect(reverse("template", args=[draft.name]))


def _typed_rows(post: QueryDict) -> list[dict[str, Any]]:
    """Return the typed parameters; rows without a name are left out."""
    columns = [post.getlist(f"parameter_{part}") for part in ("name", "label", "default")]
    required = set(post.getlist("parameter_required"))
    return [
        {
            "name": name.strip(),
            "label": label.strip(),
            "default": default.replace("\r\n", "\n"),
            "required": str(n) in required,
        }
        for n, (name, label, default) in enumerate(zip(*columns, strict=False))
        if name.strip()
    ]


@on_error(message_on("template", "name"))
def offer(request: HttpRequest, name: str) -> HttpResponse:
    """Offer a template: everybody may make knowledge stacks from it."""
    actor, systems = person_of(request).username, connected_systems()
    templates.offer(_get_template(name), actor=actor, systems=systems)
    messages.success(request, _("Everybody can now create knowledge stacks from this template."))
    return HttpResponseRedirect(reverse("template", args=[name]))


def withdraw(request: HttpRequest, name: str) -> HttpResponse:
    """Withdraw a template: nobody can make another knowledge stack from it."""
    templates.withdraw(_get_template(name), actor=person_of(request).username)
    messages.success(request, _("The template is withdrawn. Existing stacks keep running."))
    return HttpResponseRedirect(reverse("template", args=[name]))


@on_error(message_on("template", "name"))
def remove(request: HttpRequest, name: str) -> HttpResponse:
    """Delete a template."""
    templates.remove(_get_template(name), actor=person_of(request).username)
    messages.success(request, _("The template is deleted."))
    return HttpResponseRedirect(reverse("templates"))


def _get_template(name: str) -> StackTemplate:
    return get_object_or_404(templates.templates_with_counts(), name=name)
