"""Components of the kind `knowledge_stack`: containers made from a template, with groups and a
client at the identity provider and accounts of their own in the systems they use.

What it is made from is written down with it, so that neither a changed template nor a withdrawn one
keeps it from being finished or deleted. Its accounts are machine accounts: they open what it uses
and nothing else of its owner's, and go with it. The drive it opens with its owner's credential, the
only one a drive gives out.

See docs/explanation/components.md#knowledge-stacks.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from django.db import IntegrityError, transaction

from workspace_manager.access import policy
from workspace_manager.accounts import accounts, machine_accounts
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import SecretRef
from workspace_manager.core.account_link import subs_of
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.rows import Vault, plan_change
from workspace_manager.knowledge_stacks import stack_values
from workspace_manager.knowledge_stacks.messages import message
from workspace_manager.knowledge_stacks.stack_choice import StackChoice
from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    ServiceKey,
)
from workspace_manager.systems.container_manager import names
from workspace_manager.systems.container_manager.settings import Settings
from workspace_manager.systems.identity_provider import names as identity_names

CREATE_ACCOUNTS: Final = declare_step("create_machine_accounts", message)
CREATE_GROUPS: Final = declare_step("create_groups", message)
CREATE_CLIENT: Final = declare_step("create_client", message)
CREATE_STACK: Final = declare_step("create_stack", message)
DELETE_STACK: Final = declare_step("delete_stack", message)
SYSTEM: Final = "container_manager"
STACK: Final = names.STACK_KIND
VOLUMES: Final = names.VOLUMES_KIND
IDENTITY: Final = "identity_provider"
GROUP: Final = "identity_provider.group"
CLIENT: Final = "identity_provider.client"
DELETIONS: Final = (
    (VOLUMES, declare_step("delete_volumes", message)),
    (CLIENT, declare_step("delete_client", message)),
    (GROUP, declare_step("delete_groups", message)),
)


def resource_name(username: str, label: str, unique: str) -> str:
    """The project name of its containers; its groups and its client are named by it."""
    return names.stack_name(username, label, unique)


def reserve(component: Component, chosen: StackChoice, systems: ConnectedSystems) -> None:
    """Write down what it is made from, its port and its machine accounts, in the caller's
    transaction. Raises Refused when no port is free.
    """
    template = chosen.template
    component.template = None if template._state.adding else template
    component.made_from = {
        "template": template.name,
        "compose": template.compose,
        "parameters": dict(chosen.values),
        "needs": list(template.needs),
        "web_service": template.web_service,
        "web_port": template.web_port,
        "health_path": template.health_path,
        "health_text": template.health_text,
        "open_path": template.open_path,
        "redirect_path": template.redirect_path,
        "uses": {need: str(used.id) for need, used in chosen.uses.items()},
    }
    if "sign_in" in template.needs:
        component.made_from["groups"] = list(identity_names.stack_groups(component.name))
        component.made_from["client_id"] = identity_names.stack_client_id(component.name)
    if template.web_service:
        _reserve_port(component, systems.settings_of(Settings))
        component.address = stack_values.url(component, systems) + template.open_path
    component.save()
    purpose = stack_values.in_english(message("purpose", label=component.label))
    for used in chosen.uses.values():
        machine_accounts.reserve(component.owner, used, purpose=purpose, used_by=component)


def _reserve_port(component: Component, settings: Settings) -> None:
    """A free one by chance: a second try does not meet the same stranger on it. Raises Refused."""
    there = names.ports(settings)
    while True:
        taken = set(Component.objects.exclude(port=None).values_list("port", flat=True))
        free = [port for port in there if port not in taken]
        if not free:
            raise Refused(message("no_port", count=len(there)))
        component.port = secrets.choice(free)
        try:
            with transaction.atomic():
                component.save(update_fields=["port"])
        except IntegrityError:
            continue
        return


def creation(
    component: Component, chosen: StackChoice, systems: ConnectedSystems, vault: Vault
) -> tuple[PlannedStep, ...]:
    """Accounts, groups and client, and then the containers that use them."""
    keys = list(ServiceKey.objects.filter(used_by=component).order_by("created_at"))
    references = {
        **stack_values.key_secrets(keys, vault),
        **({"DRIVE_PASSWORD": chosen.drive.password} if chosen.drive else {}),
    }
    steps: list[PlannedStep] = []
    for key in keys:
        changes = machine_accounts.creation(key, vault, systems)
        _add(steps, CREATE_ACCOUNTS, key.system, changes)
    if "sign_in" in component.made_from["needs"]:
        references["OIDC_CLIENT_SECRET"] = vault.keep(accounts.new_secret(IDENTITY))
        groups = [plan_change(one) for one in group_changes([component], component.owner)]
        _add(steps, CREATE_GROUPS, IDENTITY, groups)
        client = _client_change(component, systems, references["OIDC_CLIENT_SECRET"])
        _add(steps, CREATE_CLIENT, IDENTITY, [plan_change(client)])
    used = {name: ref for name, ref in references.items() if name in chosen.variables}
    stack = _stack_change(component, chosen, systems, keys, used)
    # Whoever tests it later looks for this: by then the plan may be forgotten, its secrets are.
    component.made_from["wished"] = stack.after
    component.save(update_fields=["made_from"])
    _add(steps, CREATE_STACK, SYSTEM, [plan_change(stack, name=component.label)], after_all=True)
    return tuple(steps)


def _add(
    steps: list[PlannedStep],
    name: str,
    system: str,
    changes: Iterable[PlannedChange],
    *,
    after_all: bool = False,
) -> None:
    needs = tuple(step.n for step in steps) if after_all else ()
    n = len(steps) + 1
    steps.append(PlannedStep(n=n, name=name, system=system, needs=needs, changes=tuple(changes)))


def _stack_change(
    component: Component,
    chosen: StackChoice,
    systems: ConnectedSystems,
    keys: Iterable[ServiceKey],
    references: Mapping[str, SecretRef],
) -> Change:
    made_from = component.made_from
    url = stack_values.url(component, systems) if made_from["web_service"] else ""
    return Change(
        kind=STACK,
        subject=str(component.owner_id),
        target=dict(names.stack_target(component.name, str(component.id))),
        after={
            "running": True,
            "file": stack_values.compose_file(component, chosen, keys, systems),
            "health": url + made_from["health_path"] if url else "",
            "health_text": made_from["health_text"] if url else "",
        },
        secrets=dict(references),
    )


def _client_change(component: Component, systems: ConnectedSystems, secret: SecretRef) -> Change:
    url = stack_values.url(component, systems)
    return Change(
        kind=CLIENT,
        subject=str(component.owner_id),
        target=_client(component),
        after={
            "redirect_uris": [url + component.made_from["redirect_path"]],
            "post_logout_redirect_uris": [url + component.made_from["open_path"]],
            "base_url": url + component.made_from["open_path"],
            "name": component.label,
        },
        secrets={"secret": secret},
    )


def _client(component: Component) -> dict[str, str]:
    found = identity_names.stack_client_target(component.made_from["client_id"], str(component.id))
    return dict(found)


def _groups(component: Component) -> Iterator[dict[str, str]]:
    for group in component.made_from.get("groups", []):
        yield dict(identity_names.group_target(group, str(component.id)))


# --- who is let in --------------------------------------------------------------------------------


def group_changes(components: Iterable[Component], person: Person) -> list[Change]:
    """The changes that settle the groups of these knowledge stacks, for whom something changed."""
    return [
        desired(Change(kind=GROUP, subject=str(person.id), target=target, after={"members": []}))
        for component in components
        for target in _groups(component)
    ]


def desired(change: Change) -> Change:
    """The members of a group as memberships and roles stand at this moment. A group whose knowledge
    stack is gone or going shall be gone.
    """
    if change.after is None:
        return change
    rows = Component.objects.select_related("owner", "project")
    component = rows.filter(id=change.target["mark"]).first()
    if component is None or component.state == Component.State.DELETING:
        return change.model_copy(update={"after": None})
    admins, _users = component.made_from["groups"]
    people = _admins(component) if change.target["group"] == admins else _users_of(component)
    members = sorted(subs_of(people).values())
    return change.model_copy(update={"after": {"members": [*members]}})


def _users_of(component: Component) -> list[Person]:
    """Its owner, and everybody it is shared with."""
    owner = component.owner
    if owner.state == Person.State.LEAVING:
        return []
    shared = policy.sharers(component.project) if component.project else []
    return [owner, *(one for one in shared if policy.uses(one, component))]


def _admins(component: Component) -> list[Person]:
    """Its owner, and who decides about the members of its project: the project's owner, and who
    has the role for it.
    """
    managing = Membership.objects.filter(
        project=component.project_id, role=Membership.Role.MANAGE
    ).values_list("person_id", flat=True)
    may = {component.owner_id, *managing}
    if component.project:
        may.add(component.project.owner_id)
    return [one for one in _users_of(component) if one.id in may]


# --- its end --------------------------------------------------------------------------------------


def deletion(component: Component, *, keep_volumes: bool = False) -> tuple[PlannedStep, ...]:
    """First the containers, which use everything else; then that."""
    steps: list[PlannedStep] = []
    keys = ServiceKey.objects.filter(used_by=component).order_by("created_at")
    stack, *others = downstream(component)
    if keep_volumes:
        stack = stack.model_copy(update={"note": names.KEEP_VOLUMES})
    _add(steps, DELETE_STACK, SYSTEM, [plan_change(stack, name=component.label)])
    for kind, name in DELETIONS:
        changes = [plan_change(change) for change in others if change.kind == kind]
        if changes and not (keep_volumes and kind == VOLUMES):
            _add(steps, name, kind.partition(".")[0], changes)
    for key in keys:
        gone = [plan_change(change, name=key.label) for change in machine_accounts.removal(key)]
        _add(steps, machine_accounts.REMOVE, key.system, gone)
    first, *rest = steps
    return (first, *(step.model_copy(update={"needs": (1,)}) for step in rest))


def downstream(component: Component) -> list[Change]:
    """Containers and networks, volumes, client and groups. The accounts it was given are its
    owner's, and go by themselves.
    """
    owner = str(component.owner_id)
    name, mark = component.name, str(component.id)
    targets = [
        (STACK, names.stack_target(name, mark)),
        (VOLUMES, names.stack_volumes_target(name, mark)),
    ]
    if component.made_from.get("client_id"):
        targets.append((CLIENT, _client(component)))
    targets += [(GROUP, target) for target in _groups(component)]
    return [Change(kind=kind, subject=owner, target=dict(target)) for kind, target in targets]


def remarks(component: Component, *, keep_volumes: bool) -> tuple[Message, ...]:
    """Remarks for the reader of a deletion."""
    gone = message("goes_with_it", label=component.label)
    return (gone,) if keep_volumes else (gone, message("volumes_go", label=component.label))


def by_hand(component: Component, *, keep_volumes: bool) -> tuple[Message, ...]:
    """Tasks that are left to a person after a deletion."""
    stay = message("volumes_stay", label=component.label, id=str(component.id))
    return (stay,) if keep_volumes else ()
