"""`/stack-templates`: templates of knowledge stacks, for administrators.

See docs/explanation/components.md#templates.
"""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.knowledge_stacks import templates
from workspace_manager.knowledge_stacks.compose_text import LONGEST
from workspace_manager.knowledge_stacks.template_views import COMPOSE, Need, TemplateView
from workspace_manager.records.models import StackTemplate
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Label, Text
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage, located
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)

TemplateName = Annotated[Text, Field(max_length=40)]
Path = Annotated[Text, Field(max_length=200)]


class TemplatesAsked(ListAsked, of=templates.TEMPLATES):
    """Filters and order of the list of templates."""


class ParameterTyped(Input):
    """A question to the person who makes a knowledge stack. Answers are stored and shown: never ask
    for a secret.
    """

    name: Annotated[
        Text, Field(max_length=40), describe("As which the compose file has it.", "TITLE")
    ]
    label: Annotated[Text, Field(max_length=100), describe("What people are asked.", "Title")] = ""
    default: Annotated[
        Text, Field(max_length=2000), describe("What it is when nobody answers.", "Herbarium")
    ] = ""
    required: Annotated[bool, describe("Whether there has to be an answer.", False)] = False


class TemplateTyped(Input):
    """A template as typed; every save checks all of it."""

    label: Annotated[Label, describe("What people call it.", "Herbarium")]
    description: Annotated[
        Text, Field(max_length=4000), describe("What it is good for.", "A catalogue with pictures.")
    ] = ""
    compose: Annotated[Text, Field(max_length=LONGEST + 1), describe("The compose file.", COMPOSE)]
    parameters: Annotated[
        list[ParameterTyped], Field(max_length=50), describe("What is asked for.")
    ] = []  # pydantic copies it
    needs: Annotated[
        list[Need], Field(max_length=4), describe("Which accesses it is given.", ["sign_in"])
    ] = []
    web_service: Annotated[
        Text, Field(max_length=63), describe("The service that people open; empty for none.", "web")
    ] = ""
    web_port: Annotated[
        int, Field(ge=1, le=65535), describe("Where that service listens inside.", 8080)
    ] = 80
    health_path: Annotated[
        Path, describe("What has to answer for the stack to be healthy.", "/health")
    ] = "/"
    health_text: Annotated[
        Path, describe("What the answer has to contain; empty: any success will do.", "ready")
    ] = ""
    open_path: Annotated[Path, describe("Where people are led to.", "/")] = "/"
    redirect_path: Annotated[
        Path, describe("Where people come back to after they signed in.", "/oidc/callback")
    ] = "/oidc/callback"


class NewTemplate(TemplateTyped):
    """A new template and its permanent name."""

    name: Annotated[TemplateName, describe("What programs call it; it never changes.", "herbarium")]


@router.get("", response=ListPage[TemplateView], summary="List templates of knowledge stacks")
def list_(request: HttpRequest, window: Query[TemplatesAsked]) -> dict[str, Any]:  # noqa: ARG001
    """All templates, whether offered or not."""
    return list_page(
        templates.templates_with_counts(), window, templates.TEMPLATES, each(TemplateView.from_row)
    )


@router.post("", response={201: TemplateView}, summary="Add a template", openapi_extra=says(409))
def create(request: HttpRequest, response: HttpResponse, body: NewTemplate) -> TemplateView:
    """Adds it as a draft, to try before you offer it. Unsupported parts are refused by name."""
    actor = person_of(request).username
    template = templates.add(_draft(body, body.name), actor=actor, systems=connected_systems())
    located(response, "stack_template", name=template.name)
    return _view(template.name)


@router.get(
    "/{name}", response=TemplateView, summary="Show one template", url_name="stack_template"
)
def show(request: HttpRequest, name: TemplateName) -> TemplateView:  # noqa: ARG001
    return _view(name)


@router.put("/{name}", response=TemplateView, summary="Change a template")
def change(request: HttpRequest, name: TemplateName, body: TemplateTyped) -> TemplateView:
    """Replaces the whole template. Existing knowledge stacks stay as they are."""
    actor, template = person_of(request).username, _find_template(name)
    templates.change(template, _draft(body, name), actor=actor, systems=connected_systems())
    return _view(name)


@router.post(
    "/{name}/offer", response=TemplateView, summary="Offer a template", openapi_extra=says(409)
)
def offer(request: HttpRequest, name: TemplateName) -> TemplateView:
    """Afterwards everybody may make knowledge stacks from it."""
    actor = person_of(request).username
    templates.offer(_find_template(name), actor=actor, systems=connected_systems())
    return _view(name)


@router.post("/{name}/withdraw", response=TemplateView, summary="Withdraw a template")
def withdraw(request: HttpRequest, name: TemplateName) -> TemplateView:
    """Nobody can make another knowledge stack from it; existing ones continue."""
    templates.withdraw(_find_template(name), actor=person_of(request).username)
    return _view(name)


@router.delete(
    "/{name}", response={204: None}, summary="Delete a template", openapi_extra=says(409)
)
def delete(request: HttpRequest, name: TemplateName) -> None:
    """Only a template that is not offered. Its knowledge stacks stay, and can be deleted as
    before.
    """
    templates.remove(_find_template(name), actor=person_of(request).username)


def _view(name: str) -> TemplateView:
    return TemplateView.from_row(_find_template(name))


def _find_template(name: str) -> StackTemplate:
    return templates.templates_with_counts().get(name=name)


def _draft(body: TemplateTyped, name: str) -> templates.Draft:
    typed = body.model_dump(exclude={"name", "parameters"})
    asked = [templates.Parameter(**one.model_dump()) for one in body.parameters]
    return templates.Draft(name=name, parameters=asked, **typed)
