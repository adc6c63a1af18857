"""Check of account names: what a rule makes of known people's ids is compared with what the drive
lists.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.known_people import KnownPerson
from workspace_manager.contract.message import Message, Person
from workspace_manager.systems.drive.accounts import ACCOUNT
from workspace_manager.systems.drive.checks_addresses import shorten
from workspace_manager.systems.drive.checks_finding import FAILING, OCC, finding
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.names import account_ids
from workspace_manager.systems.drive.settings import Settings

NUMBERS = range(1, 21)
"""Numbers of providers: part of a unique uid, one more each time a provider is recreated."""
UUID = 36
"""The length of most identity providers' ids; the text before one is a prefix."""
ASKED = 10
"""The most accounts whose back-end is read: a name may be a local account's, too."""
OIDC_BACKEND = "user_oidc"
BY_NAME = message("rule_claim", claim="preferred_username")
BY_EMAIL = message("rule_claim", claim="email")
BY_UNIQUE_UID = message("rule_unique_uid")


@dataclass(frozen=True)
class MisnamedAccount:
    """An account that another rule made for a person. `sure`: nobody else's account can have the
    name.
    """

    account: str
    person: KnownPerson
    rule: Message
    remedy: Message
    sure: bool


def naming_findings(
    client: DriveClient, settings: Settings, people: Sequence[KnownPerson], ids: Sequence[str]
) -> list[Finding]:
    """Return a finding for each rule that named accounts and is not ours."""
    by_rule: dict[str, list[MisnamedAccount]] = {}
    staying = [one for one in people if one.sub and not one.is_leaving]
    asked = 0
    for one in _others(settings, staying, ids):
        if not one.sure:
            asked += 1
            if asked > ASKED or not _is_of_the_app(client, one.account):
                continue
        by_rule.setdefault(one.rule.english, []).append(one)
    return [_finding(settings, found) for found in by_rule.values()]


def _finding(settings: Settings, found: Sequence[MisnamedAccount]) -> Finding:
    first = found[0]
    text = message(
        "rule_does_not_fit",
        n=len(found),
        rule=first.rule,
        person=Person(person=first.person.username),
        there=shorten(first.account),
        here=account_ids(settings, first.person.sub)[0],
    )
    return finding(message("check_account_ids"), FAILING, text, first.remedy)


def _others(
    settings: Settings, people: Sequence[KnownPerson], ids: Sequence[str]
) -> Iterator[MisnamedAccount]:
    """Yield accounts that another rule makes for a person. Recorded accounts, and those of our own
    rule, are named correctly.
    """
    listed = {one.lower(): one for one in ids}
    for one in people:
        well = {*account_ids(settings, one.sub), *one.recorded.get(ACCOUNT, ())}
        for name in {name.lower() for name in well}:
            listed.pop(name, None)
    of_uuids = {one[-UUID:].lower(): one for one in listed.values() if len(one) > UUID}
    for one in people:
        for name, rule in _rules(one):
            account = listed.get(name.lower())
            if account is not None:
                remedy, sure = message("name_by_sub", occ=OCC), rule is BY_UNIQUE_UID
                yield MisnamedAccount(account, one, rule, remedy, sure)
        account = of_uuids.get(one.sub.lower())
        if account is not None:
            rule = message("rule_prefix", prefix=shorten(account[:-UUID]))
            yield MisnamedAccount(account, one, rule, message("set_prefix"), sure=True)


def _rules(one: KnownPerson) -> Iterator[tuple[str, Message]]:
    """Yield other names that the drive's app can be set to make for a person, with their rules."""
    yield one.username, BY_NAME
    if one.email:
        yield one.email, BY_EMAIL
    for made_of in (one.sub, one.username):
        for number in NUMBERS:
            hashed = hashlib.sha256(f"{number}_0_{made_of}".encode()).hexdigest()
            yield hashed, BY_UNIQUE_UID


def _is_of_the_app(client: DriveClient, account: str) -> bool:
    """Return whether it is an account of the app. A local account of the same name, or one that
    cannot be read, is left alone.
    """
    try:
        return client.user(account).backend == OIDC_BACKEND
    except ConnectorError:
        return False
