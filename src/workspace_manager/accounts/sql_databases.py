"""Components of the kind `sql_database`: a database, the person's SQL user, and the password
attribute kept in step.

The SQL user goes with the person, not with a database; the SQL admin tool signs in with
`preferred_username` and the attribute (docs/explanation/realm.md#attributes-of-a-user).
"""

from typing import Final

from workspace_manager.accounts import accounts
from workspace_manager.accounts.messages import message
from workspace_manager.contract.connector import Change
from workspace_manager.contract.secret import SecretRef
from workspace_manager.core.account_link import sub_of
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.records.models import Component, Person
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.settings import Settings

SYSTEM = "sql_server"
USER = "sql_server.user"
CREATE_USER: Final = declare_step("create_sql_user", message)
CREATE_DATABASE: Final = declare_step("create_database", message)
DROP_DATABASE: Final = declare_step("drop_database", message)
ATTRIBUTE_STEP: Final = declare_step("store_sql_password", message)


def account_name(username: str) -> str:
    """The SQL user of a person."""
    return names.user_name(username)


def resource_name(username: str, label: str, unique: str) -> str:
    """The database's name, unique by its id part."""
    return names.database_name(label or username, unique)


def creation(
    component: Component,
    account: str,
    systems: ConnectedSystems,
    *,
    new: bool,
    secrets: accounts.Secrets,
) -> tuple[PlannedStep, ...]:
    """User, then database with its grant, then the attribute. `new`: the account is not ours yet,
    so none may be there.
    """
    settings = systems.settings_of(Settings)
    component.address = names.address(
        settings.host, settings.port, component.name, settings.flavour
    )
    component.save(update_fields=["address"])
    user = user_change(component.owner, account, new=new, secrets=secrets)
    database = Change(
        kind="sql_server.database",
        subject=str(component.owner_id),
        target={"database": component.name},
        after={"grantees": [account]},
        new=True,
    )
    return (
        PlannedStep(n=1, name=CREATE_USER, system=SYSTEM, changes=(plan_change(user),)),
        PlannedStep(
            n=2, name=CREATE_DATABASE, system=SYSTEM, needs=(1,), changes=(plan_change(database),)
        ),
        attribute_step(component.owner, systems, secrets, n=3, needs=(1,)),
    )


def user_change(person: Person, account: str, *, new: bool, secrets: accounts.Secrets) -> Change:
    """The account, with the password it is made with."""
    return Change(
        kind=USER,
        subject=str(person.id),
        target={"user": account},
        after={"exists": True},
        secrets=_password(secrets, accounts.PASSWORD),
        new=new,
    )


def attribute_step(
    person: Person,
    systems: ConnectedSystems,
    secrets: accounts.Secrets,
    *,
    n: int,
    needs: tuple[int, ...],
) -> PlannedStep:
    """Keep the SQL password with the user at the identity provider, where the SQL admin tool finds
    it. One that was revealed is not known here any more, and stands there already.
    """
    settings = systems.settings_of(Settings)
    sub = sub_of(person)
    skip = "" if sub else message("no_sql_link")
    if sub and accounts.PASSWORD not in secrets:
        skip = message("sql_password_revealed")
    change = Change(
        kind="identity_provider.attributes",
        subject=str(person.id),
        target={"sub": sub, "username": person.username},
        after={settings.password_attribute: "set"},
        secrets=_password(secrets, settings.password_attribute),
    )
    return PlannedStep(
        n=n,
        name=ATTRIBUTE_STEP,
        system="identity_provider",
        needs=needs,
        skip=skip,
        changes=() if skip else (plan_change(change, name=settings.password_attribute),),
    )


def _password(secrets: accounts.Secrets, name: str) -> dict[str, SecretRef]:
    """The password under the name it has in that change; nothing when it is not known here any
    more.
    """
    return {name: secrets[accounts.PASSWORD]} if accounts.PASSWORD in secrets else {}


def deletion(component: Component) -> tuple[PlannedStep, ...]:
    """The database goes; the SQL user stays for the person's other databases."""
    changes = tuple(plan_change(change) for change in downstream(component))
    return (PlannedStep(n=1, name=DROP_DATABASE, system=SYSTEM, changes=changes),)


def downstream(component: Component) -> list[Change]:
    """The database."""
    return [
        Change(
            kind="sql_server.database",
            subject=str(component.owner_id),
            target={"database": component.name},
        )
    ]
