"""`templates`: templates of knowledge stacks."""

import json
from typing import Any

import click
from pydantic import ValidationError

from workspace_manager.cli.example import example
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, fail, reject_usage, say, show
from workspace_manager.contract.storable import storable_json
from workspace_manager.core.lists import ListQuery
from workspace_manager.knowledge_stacks import templates as story
from workspace_manager.knowledge_stacks.template_views import TemplateView
from workspace_manager.records.models import StackTemplate
from workspace_manager.wiring import connected_systems


@click.group()
def templates() -> None:
    """Templates of knowledge stacks."""


@templates.command("list", epilog=example("templates list"))
@asking(story.TEMPLATES)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List all templates, with the number of knowledge stacks made from each."""
    rows = story.TEMPLATES.found(story.templates_with_counts(), asked)
    show(
        list(map(TemplateView.from_row, rows)),
        ("name", "label", "state", "made"),
        as_json=as_json,
        empty=NOTHING if asked.q or asked.filters else "There is no template yet.",
    )


@templates.command(epilog=example("templates add herbarium.json"))
@click.argument("file", type=click.Path(allow_dash=True, dir_okay=False))
def add(file: str) -> None:
    """Add the template in FILE as a draft: JSON with the members of POST /stack-templates."""
    draft = _draft(file)
    story.add(draft, actor=actor(), systems=connected_systems())
    say(f"{draft.name} is added. Try it, then: workspace-manager templates offer {draft.name}")


def _draft(file: str) -> story.Draft:
    try:
        with click.open_file(file, encoding="utf-8") as text:
            typed: Any = json.load(text)
        if storable_json(typed) != typed:
            raise ValueError("it has characters that no text has (NUL, or half a character)")
        asked = [story.Parameter.model_validate(one) for one in typed.pop("parameters", [])]
        return story.Draft(parameters=asked, **typed)
    except (OSError, ValueError, TypeError, AttributeError, ValidationError) as wrong:
        reject_usage(f"{file} is no template: {wrong}")


@templates.command(epilog=example("templates offer herbarium"))
@click.argument("name")
def offer(name: str) -> None:
    """Offer NAME to everybody."""
    story.offer(_found(name), actor=actor(), systems=connected_systems())
    say(f"{name} is offered.")


@templates.command(epilog=example("templates withdraw herbarium"))
@click.argument("name")
def withdraw(name: str) -> None:
    """Withdraw NAME: nobody can make another one; existing knowledge stacks continue."""
    story.withdraw(_found(name), actor=actor())
    say(f"{name} is withdrawn.")


def _found(name: str) -> StackTemplate:
    found = StackTemplate.objects.filter(name=name).first()
    return found or fail(f"There is no template {name}. See: workspace-manager templates list")
