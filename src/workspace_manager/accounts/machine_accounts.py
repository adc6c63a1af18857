"""Accounts of machine keys: for a program that uses one component, whoever its owner is otherwise.

Each is an account of its own that may use that component and nothing else, so that a program can be
given it, given another password, or shut out, and nobody else notices. What it may do follows from
what its owner may do with the component at the moment of acting.

See docs/explanation/components.md#service-keys.
"""

import uuid
from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.db.models import Q

from workspace_manager.access import policy
from workspace_manager.accounts import accounts, repositories, sql_databases
from workspace_manager.accounts.labels import checked_label
from workspace_manager.accounts.messages import message
from workspace_manager.contract.connector import Change, Facts
from workspace_manager.core.account_link import still_new
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.rows import Vault, plan_change
from workspace_manager.records.models import (
    Account,
    Component,
    Person,
    PlanChange,
    PlanStep,
    ServiceKey,
)
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.systems.triplestore import names as triplestore_names

SETTLE: Final = declare_step("settle_machine_accounts", message)
REMOVE: Final = declare_step("remove_machine_accounts", message)
OPENED: Final = {
    Component.Kind.SQL_DATABASE: sql_databases,
    Component.Kind.TRIPLESTORE_REPOSITORY: repositories,
}
"""The kinds of components that a machine key can open, and what makes each."""
NAMED: Final = {
    sql_databases.SYSTEM: sql_names.machine_name,
    repositories.SYSTEM: triplestore_names.machine_name,
}
USERS: Final = {sql_databases.SYSTEM: sql_databases.USER, repositories.SYSTEM: repositories.USER}
"""The kind of an account, by its system."""
GRANTS: Final = (sql_names.GRANT_KIND,)
BEGINNINGS: Final = {
    sql_databases.SYSTEM: sql_names.MACHINE,
    repositories.SYSTEM: triplestore_names.MACHINE,
}


def reserve(
    owner: Person, component: Component, *, purpose: str, used_by: Component | None = None
) -> ServiceKey:
    """Write a machine key and its account down, with a fresh secret, in the caller's transaction.

    `used_by`: the knowledge stack that it is for. Raises BadInput for a purpose that cannot be,
    Refused for a component that has no accounts or that its owner may not use, and when there is
    one for this purpose already.
    """
    purpose = checked_label(purpose, field="purpose")
    made_by = OPENED.get(Component.Kind(component.kind))
    if made_by is None:
        raise Refused(message("no_machine_keys", label=component.label))
    key = ServiceKey(
        id=uuid.uuid4(),
        owner=owner,
        label=purpose,
        purpose=purpose,
        system=made_by.SYSTEM,
        component=component,
        used_by=used_by,
        secret=accounts.new_secret(made_by.SYSTEM),
    )
    if not is_allowed(key):
        raise Refused(message("not_yours_to_use", label=component.label))
    same = ServiceKey.objects.filter(owner=owner, component=component, used_by=used_by)
    if same.filter(purpose__iexact=purpose).exists():
        raise Refused(message("machine_key_there", label=component.label, purpose=purpose))
    key.account = NAMED[made_by.SYSTEM](owner.username, component.name, key.id.hex[:10])
    with transaction.atomic():
        key.save()
        Account.objects.create(
            system=key.system,
            kind=made_by.USER,
            name=key.account,
            username=owner.username,
            person=owner,
            machine=True,
        )
    return key


def creation(key: ServiceKey, vault: Vault, systems: ConnectedSystems) -> tuple[PlannedChange, ...]:
    """The changes that make the account and give it its rights, in order, for a step of its own:
    positions count from the first. Raises Refused when its system is not configured.
    """
    if not systems.configured(key.system):
        raise Refused(of_core("not_configured", system=label_of(key.system)))
    assert key.secret is not None
    assert key.component is not None
    secrets = {accounts.PASSWORD: vault.keep(key.secret)}
    user = _user(key).model_copy(update={"secrets": secrets, "new": True})
    if key.system != sql_databases.SYSTEM:
        return (plan_change(user),)
    return plan_change(user), plan_change(_grant(key), 0, name=key.component.label)


def _user(key: ServiceKey) -> Change:
    """The account as it shall be now; in the triplestore with what it may do."""
    return Change(
        kind=USERS[key.system],
        subject=str(key.owner_id),
        target={"user": key.account},
        after={"exists": True} if key.system == sql_databases.SYSTEM else _rights(key),
    )


def _grant(key: ServiceKey) -> Change:
    assert key.component is not None
    return Change(
        kind=sql_names.GRANT_KIND,
        subject=str(key.owner_id),
        target=dict(sql_names.grant_target(key.component.name, key.account)),
        after=_use(key),
    )


def _use(key: ServiceKey) -> Facts | None:
    """The rights of the account in its database; None for none."""
    level = level_of(key)
    return {"use": level} if level else None


def removal(key: ServiceKey) -> list[Change]:
    """The changes that delete the account, with its sessions and all its rights."""
    return [Change(kind=USERS[key.system], subject=str(key.owner_id), target={"user": key.account})]


def settling(
    person: Person, components: Iterable[Component], systems: ConnectedSystems
) -> list[PlannedStep]:
    """The steps that bring the person's machine accounts for these components of others to their
    present rights: one for each system. These follow from the rights of the person.
    """
    rows = ServiceKey.objects.filter(owner=person, component__in=list(components))
    found: dict[str, list[Change]] = {}
    for key in rows.select_related("component").order_by("created_at"):
        change = _grant(key) if key.system == sql_databases.SYSTEM else _user(key)
        wish = desired(change)
        found.setdefault(key.system, []).append(wish or change)
    return [
        PlannedStep(
            n=0,
            name=SETTLE,
            system=system,
            changes=tuple(plan_change(change, name=change.target["user"]) for change in changes),
        )
        for system, changes in found.items()
        if systems.configured(system)
    ]


def desired(change: Change) -> Change | None:
    """The desired state of a machine key's account now; None for a change of any other thing.

    An account whose key is gone shall be gone; so it is never taken for somebody's own.
    """
    name = change.target.get("user", "")
    if change.kind not in {*USERS.values(), *GRANTS} or not is_machine(change.system, name):
        return None
    removes = change.after is None and change.kind not in GRANTS
    if removes:
        return change
    key = key_of(change.system, name)
    if key is None:
        return change.model_copy(update={"after": None, "secrets": {}, "new": False})
    if change.kind in GRANTS:
        here = key.component is not None and key.component.name == change.target["database"]
        return change.model_copy(update={"after": _use(key) if here else None})
    change = still_new(change)
    if change.kind == repositories.USER:
        kept = {k: v for k, v in (change.after or {}).items() if k not in {"authorities", "shut"}}
        after = _rights(key) if change.secrets or is_allowed(key) else {"shut": True}
        return change.model_copy(update={"after": {**kept, **after}})
    return change


def is_machine(system: str, name: str) -> bool:
    """Return whether an account is of a machine key; one that is not written down any more is known
    by its name.
    """
    rows = Account.objects.filter(kind=USERS[system], name=name, gone_at=None)
    found = rows.values_list("machine", flat=True).first()
    return name.startswith(BEGINNINGS[system]) if found is None else found


def key_of(system: str, account: str) -> ServiceKey | None:
    """The machine key of an account."""
    rows = ServiceKey.objects.select_related("owner", "component__owner", "component__project")
    return rows.filter(system=system, account=account).exclude(component=None).first()


def rights_of(system: str, account: str) -> set[str]:
    """The present rights of a machine account of the triplestore; none when its key is gone."""
    key = key_of(system, account)
    found = _rights(key)["authorities"] if key else []
    return set(map(str, found)) if isinstance(found, list) else set()


def is_allowed(key: ServiceKey) -> bool:
    """Return whether the account may use its component at all."""
    return bool(level_of(key))


def level_of(key: ServiceKey) -> str:
    """The level of the account in its component: no more than the owner of the key may. `define`
    where that is its owner's: a program makes the tables it works with; `write` or `read` where it
    is shared; "" for nothing.
    """
    component, owner = key.component, key.owner
    if component is None or owner.state == Person.State.LEAVING:
        return ""
    if component.state == Component.State.DELETING:
        return ""
    return "define" if component.owner_id == owner.id else policy.level(owner, component)


def of_component(component: Component) -> list[ServiceKey]:
    """The machine keys that open a component, whosever they are."""
    rows = ServiceKey.objects.filter(component=component).select_related("owner", "component")
    return list(rows.order_by("created_at"))


def going_with(component: Component) -> list[ServiceKey]:
    """Those, and the ones it was given if it is a knowledge stack: their rows go with its own."""
    rows = ServiceKey.objects.exclude(component=None)
    return list(rows.filter(Q(component=component) | Q(used_by=component)))


def used_by(component: Component) -> Component | None:
    """A knowledge stack that has a machine key of this component, until its own record is gone: as
    long as it is being deleted its accounts may be there. Not the one of the same stack, which goes
    with it.
    """
    rows = Component.objects.filter(keys_used__component=component)
    if component.stack_id:
        rows = rows.exclude(stack=component.stack_id)
    return rows.first()


def forget(key: ServiceKey) -> None:
    """The account of a machine key is gone there: its row goes, and nothing of the name is ours any
    more. It stays where nobody says that the account is gone: then the removal of its owner takes
    the account.
    """
    kind = USERS.get(key.system, "")
    if _is_gone(kind, key):
        rows = Account.objects.filter(kind=kind, name=key.account, machine=True)
        rows.filter(gone_at=None).delete()


def _is_gone(kind: str, key: ServiceKey) -> bool:
    """Return whether a plan removed the account and saw that, or a person did it by hand."""
    # Who confirmed a step by hand confirmed it to the plan; the row of the account goes with this.
    rows = PlanChange.objects.filter(
        Q(state__in=(PlanChange.State.DONE, PlanChange.State.ALREADY))
        | Q(step__state=PlanStep.State.BY_HAND),
        kind=kind,
        change__target__user=key.account,
        change__after=None,
    )
    return rows.exists()


def forget_all_of(component: Component) -> None:
    """Forget all machine keys that go with a component."""
    for key in going_with(component):
        forget(key)


def _rights(key: ServiceKey) -> Facts:
    """The rights of the account in the triplestore: to its repository, once that stands."""
    component, level = key.component, level_of(key)
    stands = component is not None and bool(level) and repositories.repository_exists(component)
    read = [component.name] if component and stands else []
    write = read if level in {"write", "define"} else []
    return {"authorities": [*triplestore_names.authorities(read=read, write=write)]}
