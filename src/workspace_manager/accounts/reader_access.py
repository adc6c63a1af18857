"""The rights of one person to one component in its system: with which account and key, and why.

Everybody opens a component with an account of their own; the owner’s is of no use to a member.
What is said here is what the policy says (`access/policy.py`) and what the plans bring about;
whether it is so at this moment is looked at by `work/connection_test.py`.

See docs/explanation/components.md#access.
"""

from dataclasses import dataclass

from workspace_manager.access import policy
from workspace_manager.accounts.messages import message
from workspace_manager.contract.message import Message
from workspace_manager.records.models import Account, Component, Membership, Person, ServiceKey

USERS = {
    Component.Kind.SQL_DATABASE: "sql_server.user",
    Component.Kind.TRIPLESTORE_REPOSITORY: "triplestore.user",
}
"""The account of a person that opens a component of this kind. A knowledge stack is opened with the
account that people sign in to the workspace with.
"""


@dataclass(frozen=True)
class ReaderAccess:
    """`account`: "" while there is none. `level`: `read`, `write`, or "" for no access in the
    system. `key`: the person’s own of that system, None where there is none.
    """

    account: str
    level: str
    why: Message
    key: ServiceKey | None


def find_access(person: Person, component: Component) -> ReaderAccess:
    """The access of one person."""
    level, why = _level_and_why(person, component)
    kind = USERS.get(Component.Kind(component.kind))
    if kind is None:
        return ReaderAccess(person.username if level else "", level, why, None)
    system = kind.partition(".")[0]
    keys = ServiceKey.objects.filter(owner=person, system=system, component=None)
    return ReaderAccess(account_of(person, component), level, why, keys.first())


def account_of(person: Person, component: Component) -> str:
    """The name of a person's own account there; "" for none."""
    kind = USERS.get(Component.Kind(component.kind), "")
    rows = Account.objects.filter(person=person, kind=kind, gone_at=None, machine=False)
    return rows.values_list("name", flat=True).first() or ""


def machine_keys(person: Person, component: Component) -> list[ServiceKey]:
    """The keys somebody made for programs that open this component; not those that a knowledge
    stack was given.
    """
    keys = ServiceKey.objects.filter(owner=person, component=component, used_by=None)
    return list(keys.order_by("purpose", "created_at"))


def _level_and_why(person: Person, component: Component) -> tuple[str, Message]:
    if component.owner_id == person.id:
        if component.state == Component.State.READY:
            return "write", message("access_own")
        return "", message("access_not_ready")
    level, project = policy.level(person, component), component.project
    role = policy.role_in(person, project) if project else ""
    if role and not level:
        return "", message("access_not_ready")
    if project is None or not level:
        return "", message("access_by_permission")
    if role == policy.OWNER:
        return level, message("access_project_owner", project=project.label)
    if role == Membership.Role.READ:
        return level, message("access_reads", project=project.label)
    if role == Membership.Role.MANAGE:
        return level, message("access_manages", project=project.label)
    return level, message("access_writes", project=project.label)
