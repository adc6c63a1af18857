"""Templates of knowledge stacks: added, changed, offered and withdrawn by administrators.

A template is checked whole whenever it is saved, so that what is offered can be made. What was made
from it keeps what it was made from: neither a change nor a withdrawal touches a stack that stands.

See docs/explanation/components.md#templates.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils import timezone
from pydantic import BaseModel

from workspace_manager.accounts.labels import LONGEST_LABEL, checked_description, checked_label
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.lists import Choice, ListSpec, Member
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.text_safety import is_unshowable
from workspace_manager.knowledge_stacks import compose, compose_features
from workspace_manager.knowledge_stacks.compose_text import Values
from workspace_manager.knowledge_stacks.messages import message
from workspace_manager.records.models import Person, StackTemplate
from workspace_manager.systems.container_manager.settings import Settings

NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
PARAMETER: Final = re.compile(r"[A-Z][A-Z0-9_]{0,39}")
PATH: Final = re.compile(r"/[A-Za-z0-9._~/?=&%+-]{0,199}")
ADDRESSES: Final = frozenset({"new"})
"""Names that pages have: no template does."""
MOST_PARAMETERS: Final = 30
LONGEST_VALUE: Final = 2000
RESERVED: Final = frozenset(name for names in compose_features.PROVIDED.values() for name in names)
TEMPLATES: Final = ListSpec(
    "templates_list",
    __file__,
    searched=("name", "label", "description"),
    order=("label", "name"),
    members=(
        Member("created_at", order="created_at"),
        Member("label", order="label"),
        Member("name", order="name"),
        Member(
            "state",
            Choice(tuple(map(str, StackTemplate.State.values))),
            help="Only templates that stand so.",
            filter="state",
            order="state",
        ),
    ),
)


class Parameter(BaseModel):
    """A question to the person who makes a knowledge stack. Never a secret: the answer is kept and
    shown.
    """

    name: str
    label: str = ""
    default: str = ""
    required: bool = False


@dataclass(frozen=True)
class Draft:
    """A template as it was typed."""

    name: str
    label: str
    compose: str
    description: str = ""
    parameters: Sequence[Parameter] = ()
    needs: Sequence[str] = ()
    web_service: str = ""
    web_port: int = 80
    health_path: str = "/"
    health_text: str = ""
    open_path: str = "/"
    redirect_path: str = "/oidc/callback"


def usable_templates(person: Person) -> QuerySet[StackTemplate]:
    """The templates that a person may use: those on offer; for an administrator drafts too."""
    states = [StackTemplate.State.OFFERED]
    if person.is_administrator:
        states.append(StackTemplate.State.DRAFT)
    return StackTemplate.objects.filter(state__in=states)


def templates_with_counts() -> QuerySet[StackTemplate]:
    """All of them, each with `made_count`: how many knowledge stacks are made from it."""
    return StackTemplate.objects.annotate(made_count=Count("made")).order_by("label", "name")


def add(draft: Draft, *, actor: str, systems: ConnectedSystems) -> StackTemplate:
    """Keep a new template, as a draft. Raises BadInput that says of each field what is wrong."""
    template = StackTemplate(created_by=actor)
    _fill(template, draft, systems)
    try:
        with transaction.atomic():
            template.save(force_insert=True)
            note("template:added", "", actor=actor, name=template.name)
    except IntegrityError as taken:
        raise BadInput({"name": message("template_name_taken", name=draft.name)}) from taken
    return template


def change(
    template: StackTemplate, draft: Draft, *, actor: str, systems: ConnectedSystems
) -> StackTemplate:
    """Keep a template as it is typed now; what was made from it stays. Raises BadInput."""
    with transaction.atomic():
        current = StackTemplate.objects.select_for_update().get(id=template.id)
        if draft.name != current.name:
            raise BadInput({"name": message("template_name_stays")})
        _fill(current, draft, systems)
        current.save()
        note("template:changed", "", actor=actor, name=current.name)
    return current


def offer(template: StackTemplate, *, actor: str, systems: ConnectedSystems) -> StackTemplate:
    """Let everybody make knowledge stacks from it. Raises Refused when it cannot be made from as
    the settings stand now.
    """
    with transaction.atomic():
        current = StackTemplate.objects.select_for_update().get(id=template.id)
        parsed(current, systems)
        if _put(current, StackTemplate.State.OFFERED):
            note("template:offered", "", actor=actor, name=current.name)
    return current


def withdraw(template: StackTemplate, *, actor: str) -> StackTemplate:
    """Nobody makes another one from it; those that stand go on."""
    with transaction.atomic():
        current = StackTemplate.objects.select_for_update().get(id=template.id)
        if _put(current, StackTemplate.State.WITHDRAWN):
            note("template:withdrawn", "", actor=actor, name=current.name)
    return current


def _put(template: StackTemplate, state: str) -> bool:
    """Return whether it stood otherwise before."""
    if template.state == state:
        return False
    template.state, template.changed_at = state, timezone.now()
    template.save(update_fields=["state", "changed_at"])
    return True


def remove(template: StackTemplate, *, actor: str) -> None:
    """Forget a template. Raises Refused while it is offered."""
    with transaction.atomic():
        current = StackTemplate.objects.select_for_update().get(id=template.id)
        if current.state == StackTemplate.State.OFFERED:
            raise Refused(message("template_offered"))
        note("template:removed", "", actor=actor, name=current.name)
        current.delete()


def parsed(template: StackTemplate, systems: ConnectedSystems) -> Values:
    """Its compose file as it was read, by the settings as they stand. Raises Refused for what they
    do not allow any more.
    """
    try:
        return _checked_compose(
            template.compose,
            [Parameter.model_validate(one) for one in template.parameters],
            template.needs,
            template.web_service,
            systems,
        )
    except BadInput as wrong:
        why = next(iter(wrong.messages.values()))
        raise Refused(message("template_unusable", label=template.label, why=why)) from wrong


def answers(template: StackTemplate, given: Mapping[str, str]) -> dict[str, str]:
    """The value of each parameter: what was answered, or its default. Raises BadInput."""
    asked = {one.name: one for one in map(Parameter.model_validate, template.parameters)}
    errors: dict[str, Message] = {}
    for name in given:
        if name not in asked:
            there = ", ".join(asked) or "-"
            errors["parameters"] = message("parameter_unknown", name=name, there=there)
    values = {name: given.get(name, "") or one.default for name, one in asked.items()}
    for name, value in values.items():
        if not value and asked[name].required:
            errors["parameters"] = message("parameter_missing", name=name)
        elif len(value) > LONGEST_VALUE or is_unwritable(value):
            errors["parameters"] = message("parameter_value", name=name, most=LONGEST_VALUE)
    if errors:
        raise BadInput(errors)
    return values


def is_unwritable(value: str) -> bool:
    """Return whether no program could be given this as an environment variable as it is."""
    lines = re.split(r"[\n\t]", value)
    return any(line and is_unshowable(line) for line in lines)


def _fill(template: StackTemplate, draft: Draft, systems: ConnectedSystems) -> None:
    """Write what was typed into the row. Raises BadInput with everything that is wrong."""
    errors: dict[str, Message] = {}
    _put_texts(template, draft, errors)
    if not NAME.fullmatch(draft.name) or draft.name in ADDRESSES:
        errors["name"] = message("template_name")
    _check_parameters(draft.parameters, errors)
    for need in draft.needs:
        if need not in compose_features.NEEDS:
            errors["needs"] = message("needs", needs=", ".join(compose_features.NEEDS))
    if not 1 <= draft.web_port <= 65535:
        errors["web_port"] = message("web_port")
    if draft.health_text and (is_unshowable(draft.health_text) or len(draft.health_text) > 200):
        errors["health_text"] = message("health_text")
    for name in ("health_path", "open_path", "redirect_path"):
        if not PATH.fullmatch(getattr(draft, name)):
            errors[name] = message("path")
    if "sign_in" in draft.needs and not draft.web_service:
        errors["web_service"] = message("web_service_needed")
    try:
        if not errors.keys() & {"parameters", "needs"}:
            _checked_compose(
                draft.compose, draft.parameters, draft.needs, draft.web_service, systems
            )
    except BadInput as wrong:
        errors.update(wrong.messages)
    if errors:
        raise BadInput(errors)
    for name in ("name", "compose", "web_service", "web_port", "health_path"):
        setattr(template, name, getattr(draft, name))
    for name in ("health_text", "open_path", "redirect_path"):
        setattr(template, name, getattr(draft, name))
    template.parameters = [one.model_dump() for one in draft.parameters]
    template.needs = [need for need in compose_features.NEEDS if need in draft.needs]
    template.changed_at = timezone.now()


def _put_texts(template: StackTemplate, draft: Draft, errors: dict[str, Message]) -> None:
    try:
        template.label = checked_label(draft.label)
    except BadInput as wrong:
        errors.update(wrong.messages)
    try:
        template.description = checked_description(draft.description)
    except BadInput as wrong:
        errors.update(wrong.messages)


def _check_parameters(parameters: Sequence[Parameter], errors: dict[str, Message]) -> None:
    names = [one.name for one in parameters]
    if len(names) > MOST_PARAMETERS:
        errors["parameters"] = message("parameters_many", most=MOST_PARAMETERS)
    for one in parameters:
        if not PARAMETER.fullmatch(one.name) or one.name in RESERVED or names.count(one.name) > 1:
            errors["parameters"] = message("parameter_name", name=one.name)
        elif len(one.label) > LONGEST_LABEL or (one.label and is_unshowable(one.label)):
            errors["parameters"] = message("parameter_label", name=one.name)
        elif len(one.default) > LONGEST_VALUE or is_unwritable(one.default):
            errors["parameters"] = message("parameter_value", name=one.name, most=LONGEST_VALUE)


def _checked_compose(
    text: str,
    parameters: Sequence[Parameter],
    needs: Sequence[str],
    web_service: str,
    systems: ConnectedSystems,
) -> Values:
    known = compose_features.provided_variables(tuple(needs)) | {one.name for one in parameters}
    allowed = getattr(systems.settings_of(Settings), "allow_privileged_stacks", False)
    limits = compose.Limits(variables=known, privileged=bool(allowed))
    return compose.check_compose(text, web_service=web_service, limits=limits)
