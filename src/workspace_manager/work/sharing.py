"""Bring a person's access in the systems in line with the memberships.

A plan names the things whose sharing changed. What to grant or revoke is computed from all
memberships when the plan acts (`desired`), never stored. So two plans may run in any order, and
leaving one project revokes nothing that another grants.

See docs/explanation/projects.md#members.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from django.db.models import Q

from workspace_manager.access import policy
from workspace_manager.accounts import accounts, machine_accounts, repositories, sql_databases
from workspace_manager.accounts.messages import message
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Words
from workspace_manager.core.account_link import still_new, sub_of
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import Vault, plan_change, store
from workspace_manager.knowledge_stacks import kind as knowledge_stacks
from workspace_manager.records.models import Component, Person, Plan, Project
from workspace_manager.systems.ontology_editor import names as ontology_names
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.work import settled_steps
from workspace_manager.work.messages import message as of_projects

SHARE_PROJECT: Final = declare_step("share_ontology_project", of_projects)
SHARE_DATABASES: Final = declare_step("share_databases", of_projects)
SHARE_REPOSITORIES: Final = declare_step("share_repositories", of_projects)
EDITOR_USER: Final = "ontology_editor.user"
MEMBERSHIP: Final = "ontology_editor.membership"


def settle(
    person: Person,
    *,
    about: str,
    actor: str,
    systems: ConnectedSystems,
    project: Project | None = None,
    components: Iterable[Component] = (),
    repositories_too: bool = False,
) -> Plan | None:
    """Store the plan that updates a person's access to a project's ontology project and to these
    components; None if there is nothing to do.

    Call in the transaction of the membership change, after it. `repositories_too` updates
    triplestore rights even if none of these components is a repository (any more).
    """
    vault = Vault()
    steps = steps_of(
        person,
        systems=systems,
        vault=vault,
        project=project,
        components=components,
        repositories_too=repositories_too,
    )
    if not steps:
        return None
    return store(
        _document(person, about, steps), actor=actor, state=Plan.State.RUNNING, vault=vault
    )


def steps_of(
    person: Person,
    *,
    systems: ConnectedSystems,
    vault: Vault,
    project: Project | None = None,
    components: Iterable[Component] = (),
    repositories_too: bool = False,
) -> tuple[PlannedStep, ...]:
    """Return the steps that update a person's access; empty if there is nothing to do."""
    others = [component for component in components if component.owner_id != person.id]
    databases = [one for one in others if one.kind == Component.Kind.SQL_DATABASE]
    stores = [one for one in others if one.kind == Component.Kind.TRIPLESTORE_REPOSITORY]
    steps = (
        _ontology(person, project, systems),
        *_sql(person, databases, systems, vault),
        _triplestore(person, systems, vault) if stores or repositories_too else None,
        settled_steps.groups(person, others, systems),
        *machine_accounts.settling(person, others, systems),
    )
    return number_steps([step for step in steps if step])


def settle_link(person: Person, *, actor: str, systems: ConnectedSystems) -> Plan | None:
    """Store the plan that puts the newly linked account into the groups of knowledge stacks instead
    of the former one; None if there is nothing to do.
    """
    shared = Q(owner=person) | Q(project__owner=person) | Q(project__members=person)
    stacks = Component.objects.filter(shared, kind=Component.Kind.KNOWLEDGE_STACK).distinct()
    step = settled_steps.groups(person, list(stacks), systems)
    if step is None:
        return None
    document = _document(person, str(person.id), number_steps([step]))
    return store(document, actor=actor, state=Plan.State.RUNNING)


def _document(person: Person, about: str, steps: tuple[PlannedStep, ...]) -> PlanDocument:
    return PlanDocument(
        kind=SETTLING.name,
        person=person.username,
        subject=str(person.id),
        about=about,
        steps=steps,
    )


def number_steps(steps: Sequence[PlannedStep]) -> tuple[PlannedStep, ...]:
    """Number the steps; their needs are given as distances to earlier steps."""
    return tuple(
        step.model_copy(update={"n": n, "needs": tuple(n - back for back in step.needs)})
        for n, step in enumerate(steps, 1)
    )


def _skipped(name: str, system: str, reason: Words) -> PlannedStep:
    return PlannedStep(n=0, name=name, system=system, skip=reason)


def _ontology(
    person: Person, project: Project | None, systems: ConnectedSystems
) -> PlannedStep | None:
    name, system = SHARE_PROJECT, "ontology_editor"
    if project is None or not project.ontology_project_id:
        return None
    if not systems.configured(system):
        return _skipped(name, system, message("editor_not_configured"))
    try:
        account = editor_account(person, systems)
    except Refused as taken:
        return _skipped(name, system, taken.message)
    change = Change(
        kind=MEMBERSHIP,
        subject=str(person.id),
        target=ontology_names.membership(project.ontology_project_id, account),
        after={"permission": "EDIT"},
    )
    return PlannedStep(
        n=0, name=name, system=system, changes=(plan_change(desired(change), name=project.label),)
    )


def editor_account(person: Person, systems: ConnectedSystems) -> str:
    """Return the person's recorded account of the ontology editor. Raises Refused if the editor
    would take somebody else for it.
    """
    rule = lambda name: ontology_names.account_name(name, sub_of(person))  # noqa: E731
    account = accounts.name_for(person, EDITOR_USER, rule, systems)
    accounts.reserve(person, EDITOR_USER, account)
    return account


def _sql(
    person: Person, databases: Sequence[Component], systems: ConnectedSystems, vault: Vault
) -> list[PlannedStep | None]:
    system, kind = sql_databases.SYSTEM, sql_databases.USER
    if not databases or not systems.configured(system):
        return []
    before: list[PlannedStep | None] = []
    if any(policy.uses(person, one) for one in databases):
        try:
            name = accounts.name_for(person, kind, sql_databases.account_name, systems)
            fresh = accounts.reserve(person, kind, name)
        except Refused as cannot:
            return [_skipped(SHARE_DATABASES, system, cannot.message)]
        secrets = accounts.kept_secrets(vault, person, kind, name, fresh=fresh)
        user = plan_change(sql_databases.user_change(person, name, new=fresh, secrets=secrets))
        before = [
            PlannedStep(n=0, name=sql_databases.CREATE_USER, system=system, changes=(user,)),
            sql_databases.attribute_step(person, systems, secrets, n=0, needs=(1,)),
        ]
    else:
        account = accounts.personal(person, kind)
        if account is None:
            return []
        name = account.name
    share = PlannedStep(
        n=0,
        name=SHARE_DATABASES,
        system=system,
        needs=(2,) if before else (),
        changes=tuple(plan_change(_grant(person, one, name), name=one.label) for one in databases),
    )
    return [*before, share]


def _grant(person: Person, database: Component, account: str) -> Change:
    target = dict(sql_names.grant_target(database.name, account))
    return desired(Change(kind=sql_names.GRANT_KIND, subject=str(person.id), target=target))


def _triplestore(person: Person, systems: ConnectedSystems, vault: Vault) -> PlannedStep | None:
    name, system = SHARE_REPOSITORIES, repositories.SYSTEM
    if not systems.configured(system):
        return None
    known = accounts.personal(person, repositories.USER)
    if not known and not repositories.rights(person):
        return None
    try:
        account = accounts.name_for(person, repositories.USER, repositories.account_name, systems)
        fresh = accounts.reserve(person, repositories.USER, account)
    except Refused as cannot:
        return _skipped(name, system, cannot.message)
    secrets = accounts.kept_secrets(vault, person, repositories.USER, account, fresh=fresh)
    change = repositories.user_change(person, account, new=fresh, secrets=secrets)
    return PlannedStep(n=0, name=name, system=system, changes=(plan_change(change),))


def desired(change: Change) -> Change:
    """Update a change to what memberships and components imply now."""
    machine = machine_accounts.desired(change)
    if machine is not None:
        return machine
    person = Person.objects.filter(id=change.subject).first() if change.subject else None
    if change.kind == MEMBERSHIP:
        project = Project.objects.filter(ontology_project_id=change.target["project_id"]).first()
        permission = policy.ontology_permission(person, project) if person and project else ""
        return change.model_copy(
            update={"after": {"permission": permission} if permission else None}
        )
    if change.kind == sql_names.GRANT_KIND:
        component = Component.objects.filter(
            kind=Component.Kind.SQL_DATABASE, name=change.target["database"]
        ).first()
        use = policy.level(person, component) if person and component else ""
        return change.model_copy(update={"after": {"use": use} if use else None})
    if change.kind == knowledge_stacks.GROUP:
        return knowledge_stacks.desired(change)
    if change.kind == repositories.USER:
        return repositories.desired(change)
    return still_new(change) if change.kind == sql_databases.USER else change


def note_outcome(plan: Plan, _systems: ConnectedSystems) -> None:
    """Record the state of the triplestore account."""
    if plan.state == Plan.State.DONE:
        repositories.follow_account(plan)


def settle_all(
    people: Iterable[Person],
    *,
    about: str,
    actor: str,
    systems: ConnectedSystems,
    project: Project | None = None,
    components: Sequence[Component] = (),
    repositories_too: bool = False,
) -> list[Plan]:
    """Update the access of several people; return the plans that were needed. Leaving people lose
    everything by their removal.
    """
    plans = [
        settle(
            person,
            about=about,
            actor=actor,
            systems=systems,
            project=project,
            components=components,
            repositories_too=repositories_too,
        )
        for person in people
        if person.state != Person.State.LEAVING
    ]
    return [plan for plan in plans if plan]


SETTLING: Final = PlanKind(
    "access.settle", of_projects("plan.access.settle"), desired=desired, on_saved=note_outcome
)
