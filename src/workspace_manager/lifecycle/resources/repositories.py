"""Components of the kind `triplestore_repository`: a repository and the person's triplestore user with rights on it.

The order is the store's: user with its role, repository, then the rights, since a right on a repository it does not know is an error
that leaves half a user (facts, triplestore 2.1). The user goes with the last component that uses it.
"""

from workspace_manager.contract.connector import Change
from workspace_manager.lifecycle.driven import DrivenSystems
from workspace_manager.lifecycle.planning.journal import planned
from workspace_manager.lifecycle.planning.plan import PlannedStep
from workspace_manager.records.models import Account, Component
from workspace_manager.systems.triplestore import names
from workspace_manager.systems.triplestore.settings import Settings

SYSTEM = "triplestore"
USER = "triplestore.user"
LATER = "vault/later"


def account_name(username: str) -> str:
    """The triplestore user of a person."""
    return names.account_name(username)


def resource_name(_username: str, label: str, unique: str) -> str:
    """The repository's id, unique by its id part."""
    return names.repository_id(label, unique)


def creation(
    component: Component, account: str, driven: DrivenSystems, *, new: bool
) -> tuple[PlannedStep, ...]:
    """User, repository, rights. `new`: the account is not ours yet, so none may be there."""
    settings = driven.settings[SYSTEM]
    assert isinstance(settings, Settings)
    component.address = f"{settings.url}/repositories/{component.name}"
    component.save(update_fields=["address"])
    subject = str(component.owner_id)
    user = Change(
        kind=USER,
        subject=subject,
        target={"user": account},
        after={"authorities": names.authorities(write=_standing(component))},
        secrets={"password": LATER},
        new=new,
    )
    repository = Change(
        kind="triplestore.repository",
        subject=subject,
        target={"repository": component.name},
        after={"title": names.title(component.label)},
        new=True,
    )
    rights_of_all = names.authorities(write={*_standing(component), component.name})
    rights = Change(
        kind=USER,
        subject=subject,
        target={"user": account},
        after={"authorities": rights_of_all},
    )
    return (
        PlannedStep(n=1, name="create_triplestore_user", system=SYSTEM, changes=(planned(user),)),
        PlannedStep(
            n=2, name="create_repository", system=SYSTEM, needs=(1,), changes=(planned(repository),)
        ),
        PlannedStep(
            n=3, name="grant_repository", system=SYSTEM, needs=(2,), changes=(planned(rights),)
        ),
    )


def _standing(component: Component) -> set[str]:
    """The owner's repositories that exist already: their rights are kept whatever happens to this one."""
    mine = Component.objects.filter(
        owner=component.owner, kind=component.kind, state=Component.State.READY
    )
    return set(mine.values_list("name", flat=True))


def deletion(component: Component) -> tuple[PlannedStep, ...]:
    """The repository, and the user when nothing else uses it."""
    changes = tuple(planned(change) for change in downstream(component))
    steps = [PlannedStep(n=1, name="delete_repository", system=SYSTEM, changes=changes)]
    others = Component.objects.filter(owner=component.owner, kind=component.kind).exclude(
        id=component.id
    )
    account = Account.objects.filter(kind=USER, person=component.owner, gone_at=None).first()
    if account and not others.exists():
        user = Change(kind=USER, subject=str(component.owner_id), target={"user": account.name})
        steps.append(
            PlannedStep(
                n=2,
                name="remove_triplestore_user",
                system=SYSTEM,
                needs=(1,),
                changes=(planned(user),),
            )
        )
    return tuple(steps)


def downstream(component: Component) -> list[Change]:
    """The repository."""
    return [
        Change(
            kind="triplestore.repository",
            subject=str(component.owner_id),
            target={"repository": component.name},
        )
    ]
