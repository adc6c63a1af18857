"""Components of the kind `triplestore_repository`: a repository and the person's triplestore user
with rights on it.

The order is the store's: user with its role, repository, then the rights, since a right on a
repository it does not know is an error that leaves half a user
(docs/systems/triplestore.md#opengdb-accounts). What the user may do is one list, worked out from
everything the person uses at the moment of acting; the user goes with the last component that uses
it.
"""

from typing import Final

from django.db.models import Q

from workspace_manager.access import policy
from workspace_manager.accounts import accounts
from workspace_manager.accounts.messages import message
from workspace_manager.contract.connector import Change, Facts
from workspace_manager.core.account_link import still_new
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.records.models import Component, Person, Plan, PlanChange
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.settings import Settings

SYSTEM = "triplestore"
USER = "triplestore.user"
REPOSITORY = "triplestore.repository"
CREATE_USER: Final = declare_step("create_triplestore_user", message)
CREATE_REPOSITORY: Final = declare_step("create_repository", message)
GRANT_REPOSITORY: Final = declare_step("grant_repository", message)
DELETE_REPOSITORY: Final = declare_step("delete_repository", message)
REMOVE_USER: Final = declare_step("remove_triplestore_user", message)


def account_name(username: str) -> str:
    """The triplestore user of a person."""
    return names.account_name(username)


def resource_name(_username: str, label: str, unique: str) -> str:
    """The repository's id, unique by its id part."""
    return names.repository_id(label, unique)


def creation(
    component: Component,
    account: str,
    systems: ConnectedSystems,
    *,
    new: bool,
    secrets: accounts.Secrets,
) -> tuple[PlannedStep, ...]:
    """User, repository, rights. `new`: the account is not ours yet, so none may be there."""
    settings = systems.settings_of(Settings)
    component.address = f"{settings.url}/repositories/{component.name}"
    component.save(update_fields=["address"])
    repository = Change(
        kind=REPOSITORY,
        subject=str(component.owner_id),
        target={"repository": component.name},
        after={"title": names.title(component.label)},
        new=True,
    )
    user = user_change(component.owner, account, new=new, secrets=secrets)
    rights = user.model_copy(update={"secrets": {}, "new": False})
    return (
        PlannedStep(n=1, name=CREATE_USER, system=SYSTEM, changes=(plan_change(user),)),
        PlannedStep(
            n=2,
            name=CREATE_REPOSITORY,
            system=SYSTEM,
            needs=(1,),
            changes=(plan_change(repository),),
        ),
        PlannedStep(
            n=3, name=GRANT_REPOSITORY, system=SYSTEM, needs=(2,), changes=(plan_change(rights),)
        ),
    )


def user_change(person: Person, account: str, *, new: bool, secrets: accounts.Secrets) -> Change:
    """The account with what its person may do now; a password for making it, and a spare one for
    making it anew.
    """
    change = Change(
        kind=USER,
        subject=str(person.id),
        target={"user": account},
        secrets=dict(secrets),
        new=new,
    )
    return desired(change)


def rights(person: Person) -> list[str]:
    """Everything the person may do there: in repositories of one's own that stand, and in those
    that others share; [] for nothing.
    """
    mine = Component.objects.filter(
        owner=person, kind=Component.Kind.TRIPLESTORE_REPOSITORY
    ).exclude(state=Component.State.DELETING)
    shared = policy.levels(person, Component.Kind.TRIPLESTORE_REPOSITORY)
    may = {**shared, **dict.fromkeys(mine, "write")}
    if not may:
        return []
    standing = {one.name: level for one, level in may.items() if repository_exists(one)}
    return names.authorities(
        read=standing, write=[name for name, level in standing.items() if level == "write"]
    )


def repository_exists(component: Component) -> bool:
    """Return whether the repository is there: its component is ready, or the plan that makes it has
    come that far.
    """
    if component.state == Component.State.READY:
        return True
    # Its own plan asks between two of its steps: the component is not ready before the last one.
    about = [str(component.id), *([str(component.stack_id)] if component.stack_id else [])]
    making = PlanChange.objects.filter(step__plan__about__in=about)
    rows = making.filter(kind=REPOSITORY, name=component.name, state__in=PlanChange.ENDED)
    return any(Change.model_validate(row.change).after is not None for row in rows)


def desired(change: Change) -> Change:
    """The desired state of an account at this moment; an account that nothing uses any more shall
    go.
    """
    person = Person.objects.filter(id=change.subject).first()
    allowed = rights(person) if person else []
    if not allowed:
        return change.model_copy(update={"after": None, "secrets": {}, "new": False})
    change = still_new(change)
    after: Facts = {"authorities": [*allowed]}
    if ending := ending_repositories(person):
        after[names.ENDING] = [*ending]
    return change.model_copy(update={"after": after})


def ending_repositories(person: Person | None) -> list[str]:
    """Return the repositories that a person uses and that are being deleted, alone or with their
    owner: the rights on them end with them.
    """
    going = Q(state=Component.State.DELETING) | Q(owner__state=Person.State.LEAVING)
    used = Q(owner=person) | Q(project__owner=person) | Q(project__members=person)
    rows = Component.objects.filter(going, used, kind=Component.Kind.TRIPLESTORE_REPOSITORY)
    return sorted(set(rows.values_list("name", flat=True)))


def deletion(component: Component) -> tuple[PlannedStep, ...]:
    """The repository, and the user when nothing else uses it."""
    changes = tuple(plan_change(change) for change in downstream(component))
    steps = [PlannedStep(n=1, name=DELETE_REPOSITORY, system=SYSTEM, changes=changes)]
    account = accounts.personal(component.owner, USER)
    if account and not rights(component.owner):
        user = Change(kind=USER, subject=str(component.owner_id), target={"user": account.name})
        steps.append(
            PlannedStep(
                n=2,
                name=REMOVE_USER,
                system=SYSTEM,
                needs=(1,),
                changes=(plan_change(user),),
            )
        )
    return tuple(steps)


def downstream(component: Component) -> list[Change]:
    """The repository."""
    return [
        Change(
            kind=REPOSITORY,
            subject=str(component.owner_id),
            target={"repository": component.name},
        )
    ]


def follow_account(plan: Plan) -> None:
    """After a plan is done: forget an account that it removed, and give out the new key of one that
    it made anew.
    """
    # The outcome of the plan's own change is kept nowhere else: the rows follow from it here.
    for row in PlanChange.objects.filter(step__plan=plan, kind=USER):
        change = Change.model_validate(row.change)
        person = Person.objects.filter(id=change.subject).first()
        if person is None:
            continue
        if change.after is None and row.state in PlanChange.ENDED:
            accounts.forget(person, USER, change.target["user"])
        elif (row.outcome or {}).get("facts", {}).get("password") == names.MADE_ANEW:
            accounts.renew_key(plan, person, USER, change.target["user"])
