"""A person's request for a knowledge stack, looked up and checked before it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import SecretRef
from workspace_manager.core.account_link import sub_of
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.knowledge_stacks import compose, templates
from workspace_manager.knowledge_stacks.compose_text import Values
from workspace_manager.knowledge_stacks.messages import message
from workspace_manager.records.models import Account, Component, Person, StackTemplate
from workspace_manager.systems.drive.settings import Settings as DriveSettings
from workspace_manager.systems.identity_provider import names as identity_names

PARTS: Final = (Component.Kind.SQL_DATABASE, Component.Kind.TRIPLESTORE_REPOSITORY)
"""What a knowledge stack may need that is a component itself; a need has the name of its kind."""


@dataclass(frozen=True)
class StackRequest:
    """The request as it was typed."""

    template: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    uses: Mapping[str, str] = field(default_factory=dict)
    """The component (by id) for each need that is one."""


@dataclass(frozen=True)
class OwnDrive:
    """The owner's drive, and what opens it."""

    login: str
    password: SecretRef


@dataclass(frozen=True)
class StackChoice:
    """The parts that a knowledge stack is made from. `uses`: what it gets accounts for."""

    template: StackTemplate
    document: Values
    values: Mapping[str, str]
    uses: Mapping[str, Component] = field(default_factory=dict)
    drive: OwnDrive | None = None

    @property
    def variables(self) -> frozenset[str]:
        """Those that the compose file uses."""
        return compose.used_variables(self.document)

    def with_parts(self, parts: Mapping[str, Component]) -> "StackChoice":
        """The choice with components that are made together with it."""
        return replace(self, uses=dict(parts))

    def needed_parts(self) -> list[str]:
        """The components it needs, by kind."""
        return [str(kind) for kind in PARTS if kind in self.template.needs]


def choose(owner: Person, wanted: StackRequest | None, systems: ConnectedSystems) -> StackChoice:
    """Look everything up but the components it uses. Raises BadInput for what cannot be meant,
    Refused for what cannot be now.
    """
    offered = templates.usable_templates(owner)
    template = offered.filter(name=wanted.template).first() if wanted else None
    if wanted is None or template is None:
        there = ", ".join(offered.values_list("name", flat=True))
        said = message("template_wanted", there=there) if there else message("no_templates")
        raise BadInput({"template": said})
    return choose_of(owner, template, templates.answers(template, wanted.parameters), systems)


def choose_of(
    owner: Person, template: StackTemplate, values: Mapping[str, str], systems: ConnectedSystems
) -> StackChoice:
    """The choice of a template with its answers. Raises BadInput and Refused as `choose`."""
    for need, system in (("sign_in", "identity_provider"), ("drive", "drive")):
        if need in template.needs and not systems.configured(system):
            raise Refused(of_core("not_configured", system=label_of(system)))
    if "sign_in" in template.needs and not sub_of(owner):
        raise Refused(message("no_link_no_groups", name=owner.username))
    return StackChoice(
        template=template,
        document=templates.parsed(template, systems),
        values=values,
        drive=_own_drive(owner, systems) if "drive" in template.needs else None,
    )


def _own_drive(owner: Person, systems: ConnectedSystems) -> OwnDrive:
    """Raises Refused when the owner's drive is not connected."""
    sub = sub_of(owner)
    rows = Account.objects.filter(kind="drive.account", person=owner, gone_at=None)
    login = rows.exclude(locked_by_us=True).values_list("name", flat=True).last()
    attribute = systems.settings_of(DriveSettings).app_password_attribute
    try:
        if not sub or not login:
            raise Refused(message("drive_not_connected"))
        systems.identity_provider().read_attribute(sub, attribute)
    except NotFound as none:
        raise Refused(message("drive_not_connected")) from none
    return OwnDrive(login=login, password=identity_names.attribute_ref(sub, attribute))


def lock_components(
    owner: Person, chosen: StackChoice, uses: Mapping[str, str]
) -> dict[str, Component]:
    """The named components, locked, in the caller's transaction. Raises BadInput for one that is
    missing, somebody else's or not ready.
    """
    needed = chosen.needed_parts()
    errors: dict[str, Message] = {}
    for name in uses:
        if name not in needed:
            there = ", ".join(needed) or "-"
            errors["uses"] = message("uses_unknown", name=name, there=there)
    found: dict[str, Component] = {}
    for kind in needed:
        if not uses.get(kind):
            errors["uses"] = message("uses_missing", kind=kind)
            continue
        row = (
            Component.objects.select_for_update()
            .filter(id=uses[kind], owner=owner, kind=kind, state=Component.State.READY)
            .first()
        )
        if row is None:
            errors["uses"] = message("uses_not_yours", kind=kind)
        else:
            found[kind] = row
    if errors:
        raise BadInput(errors)
    return found
