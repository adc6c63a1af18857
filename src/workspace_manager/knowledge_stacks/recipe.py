"""Recipes of knowledge stacks: kept with their content, and made from once more."""

from typing import Final

from pydantic import JsonValue

from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.knowledge_stacks import stack_choice
from workspace_manager.knowledge_stacks.messages import message
from workspace_manager.knowledge_stacks.stack_choice import StackChoice
from workspace_manager.records.models import Component, Person, StackTemplate

OF_TEMPLATE: Final = (
    *("compose", "needs", "web_service", "web_port", "health_path", "health_text"),
    *("open_path", "redirect_path"),
)
KEPT: Final = frozenset({"template", "parameters", "uses", *OF_TEMPLATE})


def recipe_of(component: Component) -> dict[str, JsonValue]:
    """The template as it stood and the answers; nothing of other kinds of components. There is no
    secret in it: an answer is none, and what the manager makes is drawn anew.
    """
    return {name: value for name, value in component.made_from.items() if name in KEPT}


def choose_again(
    owner: Person, recipe: dict[str, JsonValue], systems: ConnectedSystems
) -> StackChoice:
    """Look up what a recipe names, but the components it uses. A template that was changed,
    withdrawn or removed since is used as it stood. Raises Refused for what cannot be now.
    """
    name = str(recipe.get("template", ""))
    template = StackTemplate.objects.filter(name=name).first()
    if template is None:
        template = StackTemplate(name=name, label=name)
    for member in OF_TEMPLATE:
        if member in recipe:
            setattr(template, member, recipe[member])
    answers = _texts(recipe.get("parameters"))
    template.parameters = [{"name": one} for one in answers]
    try:
        return stack_choice.choose_of(owner, template, answers, systems)
    except BadInput as cannot:
        raise _refused(recipe, cannot) from cannot


def lock_parts(owner: Person, chosen: StackChoice, recipe: dict[str, JsonValue]) -> StackChoice:
    """The choice with the components that it used, locked, in the caller's transaction. Raises
    Refused where one is gone.
    """
    try:
        uses = stack_choice.lock_components(owner, chosen, _texts(recipe.get("uses")))
    except BadInput as cannot:
        raise _refused(recipe, cannot) from cannot
    return chosen.with_parts(uses)


def _refused(recipe: dict[str, JsonValue], cannot: BadInput) -> Refused:
    why = next(iter(cannot.messages.values()))
    return Refused(message("recipe_refused", template=str(recipe.get("template", "")), why=why))


def _texts(found: JsonValue) -> dict[str, str]:
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
