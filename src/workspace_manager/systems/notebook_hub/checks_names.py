"""Check of the names of notebook containers against the naming rule of the settings; its finding
says which part differs.

The rule is tried on pairs of a container and its user, as the hub and the spawner name them.
Without such a pair, only the names are checked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.containers import ContainerState
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.systems.notebook_hub.client.calls import SYSTEM, User
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import (
    ESCAPES,
    SERVER_MARK,
    SpawnerNames,
    container_name,
    fits_rule,
    hub_user,
)
from workspace_manager.systems.notebook_hub.ownership import claimed_user, looks_spawned
from workspace_manager.systems.notebook_hub.settings import Settings

NAME = message("check_container_names")
SAY = Findings(SYSTEM)
_BEFORE_USER = ("-", "_", ".")


@dataclass(frozen=True)
class Pair:
    """A container, and its user according to the hub or the spawner."""

    container: str
    user: str


def finding(settings: Settings, names: Sequence[str], pairs: Sequence[Pair]) -> Finding:
    """Return the finding. `names`: all containers with the prefix."""
    rule = settings.spawner_names
    if any(not _follows_rule(one, rule) for one in pairs):
        return _of_pairs(rule, pairs)
    prefix, escape = rule.prefix, rule.escape
    strange = [name for name in names if not fits_rule(name, prefix=prefix, escape=escape)]
    if names and not pairs and _lacks_dash(rule, names, strange):
        text = message("containers_lack_dash", n=len(names), prefix=prefix, example=names[0])
        return SAY.failing(NAME, text, message("set_prefix", prefix=f"{prefix}-"))
    if not strange:
        return SAY.ok(NAME, message("containers_fit", n=len(names), prefix=prefix))
    text = message(
        "containers_do_not_fit",
        strange=len(strange),
        all=len(names),
        escape=escape,
        example=strange[0],
    )
    return SAY.failing(NAME, text, message("set_escape"))


def _of_pairs(rule: SpawnerNames, pairs: Sequence[Pair]) -> Finding:
    """Return the finding about differing names: another rule made all of them, or only some."""
    other = [one for one in pairs if not _follows_rule(one, rule)]
    fitting = Counter(one for pair in other for one in _rules_of(pair))
    first = other[0]
    expected = container_name(first.user, prefix=rule.prefix, escape=rule.escape)
    text = message(
        "containers_named_otherwise",
        n=len(other),
        example=first.container,
        user=first.user,
        expected=expected,
    )
    if not fitting:
        return SAY.failing(NAME, text, message("leave_name_template"))
    best = max(
        fitting,
        key=lambda one: (fitting[one], one.prefix == rule.prefix, one.escape == rule.escape),
    )
    if not all(_follows_rule(one, best) for one in pairs):
        # Fitting names show that the settings are right for servers that start now.
        severity = Severity.FAILING if len(other) == len(pairs) else Severity.WARNING
        return SAY.of(severity, NAME, text, message("start_them_again"))
    if best.escape == rule.escape:
        remedy = message("set_prefix", prefix=best.prefix)
    elif best.prefix == rule.prefix:
        remedy = message("set_escape_to", escape=best.escape)
    else:
        remedy = message("set_prefix_and_escape", prefix=best.prefix, escape=best.escape)
    return SAY.failing(NAME, text, remedy)


def _lacks_dash(rule: SpawnerNames, names: Sequence[str], strange: Sequence[str]) -> bool:
    """Return whether the names would fit with a hyphen after the prefix, as in the spawner's
    template. With the usual escape, a name may also fit by chance.
    """
    longer = f"{rule.prefix}-"
    if not rule.prefix or rule.prefix.endswith("-"):
        return False
    fit = all(one.startswith(longer) for one in names) and all(
        fits_rule(one, prefix=longer, escape=rule.escape) for one in names
    )
    return fit and (bool(strange) or rule.escape != "dockerspawner")


def _follows_rule(pair: Pair, rule: SpawnerNames) -> bool:
    own = container_name(pair.user, prefix=rule.prefix, escape=rule.escape)
    return pair.container == own or pair.container.startswith(own + SERVER_MARK)


def _rules_of(pair: Pair) -> Iterator[SpawnerNames]:
    """Yield every rule that makes this container's name for its user."""
    for escape in ESCAPES:
        user = container_name(pair.user, prefix="", escape=escape)
        before, named, _ = pair.container.rpartition(user + SERVER_MARK)
        if pair.container.endswith(user):
            yield SpawnerNames(pair.container.removesuffix(user), escape)
        elif named:
            yield SpawnerNames(before, escape)


def pairs_of(
    users: Iterable[User], looked_at: Iterable[ContainerState], settings: Settings
) -> list[Pair]:
    """Return the owners that the hub and the spawner's containers name."""
    listed = [
        Pair(server.container, user.name)
        for user in users
        for server in user.servers or ()
        if server.container
    ]
    said = [
        Pair(one.name, claimed_user(one))
        for one in looked_at
        if claimed_user(one) and not one.component and looks_spawned(one, settings)
    ]
    return list(dict.fromkeys([*listed, *said]))


def names_of_users(
    names: Iterable[str], users: Iterable[User], people: Iterable[KnownPerson]
) -> list[str]:
    """Return names that end like a container of one of these users, with any prefix."""
    known = {one.name for one in users}
    known |= {hub_user(text) for one in people for text in (one.username, one.email) if text}
    ends = tuple(
        mark + container_name(one, prefix="", escape=escape)
        for one in known
        for escape in ESCAPES
        for mark in _BEFORE_USER
    )
    return [
        one for one in names if one.endswith(ends) or one.partition(SERVER_MARK)[0].endswith(ends)
    ]
