"""A person's access to things of others, revoked by a suspension and restored by its end; and their
own things that others use, which keep running.

What to restore is read from the records when the plan acts: a membership may have ended meanwhile,
and its rights must not come back.
"""

from workspace_manager.access import policy
from workspace_manager.accounts import machine_accounts, repositories
from workspace_manager.contract.connector import Change
from workspace_manager.contract.system import DesiredState
from workspace_manager.records.models import Account, Component, Person, Project, ServiceKey
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.systems.triplestore import names as triplestore_names
from workspace_manager.work.sharing import EDITOR_USER, MEMBERSHIP, desired


def shared_with(person: Person) -> tuple[DesiredState, ...]:
    """Return every membership in an ontology project, by the recorded account."""
    account = Account.objects.filter(kind=EDITOR_USER, person=person, gone_at=None).first()
    if account is None:
        return ()
    rows = Project.objects.exclude(ontology_project_id="").select_related("owner").order_by("id")
    return tuple(
        DesiredState(
            MEMBERSHIP,
            ontology_names.membership(project.ontology_project_id, account.name),
            {"permission": permission},
        )
        for project in rows
        for permission in [policy.ontology_permission(person, project)]
        if permission
    )


def goes_on_serving(person: Person) -> dict[Component, list[tuple[str, str]]]:
    """Return the person's knowledge stacks that others share, and their machine accounts (kind,
    name), which stay open. All other keys are the person's own credentials.
    """
    rows = ServiceKey.objects.filter(owner=person).exclude(component=None)
    found: dict[Component, list[tuple[str, str]]] = {}
    for key in rows.exclude(used_by=None).select_related("used_by__project").order_by("account"):
        if key.used_by is not None and _others(key.used_by, person):
            account = (machine_accounts.USERS[key.system], key.account)
            found.setdefault(key.used_by, []).append(account)
    return found


def _others(stack: Component, person: Person) -> list[Person]:
    sharers = policy.sharers(stack.project) if stack.project else []
    return [one for one in sharers if one != person and one.state == Person.State.ACTIVE]


def on_return(change: Change) -> Change:
    """Limit the restored rights to those that nobody ended for good meanwhile."""
    if change.kind == MEMBERSHIP:
        return desired(change)
    rights = (change.after or {}).get("given_back")
    if change.kind != repositories.USER or not isinstance(rights, list):
        return change
    person = Person.objects.filter(id=change.subject).first()
    account = change.target["user"]
    if machine_accounts.is_machine(change.system, account):
        allowed = machine_accounts.rights_of(change.system, account)
    else:
        allowed = set(repositories.rights(person)) if person else set()
    kept = [right for right in rights if right in allowed or not _ours(str(right))]
    return change.model_copy(update={"after": {**(change.after or {}), "given_back": kept}})


def _ours(right: str) -> bool:
    """Return whether a right is to a repository in our records, which then decide on it."""
    repository = triplestore_names.repository_of(right)
    return Component.objects.filter(name=repository or "").exists()
