"""Fill a fresh demo: how the systems are reached, an administrator and a few people who came in
through the very stories of the product.

`python -m workspace_sandbox.seed FILE` writes what the demo tells its user. A kept demo is left as
it is.
"""

import json
import os
import secrets
import sys
from pathlib import Path
from typing import Any

# isort: skip  sets Django up before tables are imported
import workspace_manager.bootstrap  # noqa: F401
from workspace_manager.access import tokens
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput
from workspace_manager.knowledge_stacks import templates
from workspace_manager.operations import settings
from workspace_manager.operations.pinned_settings import pinned_by
from workspace_manager.people import admit, approve, register, roles
from workspace_manager.people.admit import Claims
from workspace_manager.people.register import RegistrationInput
from workspace_manager.records.models import Account, Person, StoredSetting
from workspace_manager.systems import registry
from workspace_manager.wiring import connected_systems
from workspace_sandbox.__main__ import tell
from workspace_sandbox.sample_stack.template import template

ACTOR = "demo"
ADDRESSES = {"url", "base_url", "host", "port", "client_id"}
ADMINISTRATOR = ("ada", "Ada", "Lovelace")
LINKED = (("grace", "Grace", "Hopper"), ("alan", "Alan", "Turing"), ("emmy", "Emmy", "Noether"))
UNLINKED = ("edsger", "Edsger", "Dijkstra")
ASKING = (("barbara", "Barbara", "Liskov"), ("donald", "Donald", "Knuth"))
WORDS = (
    "amber",
    "birch",
    "cobalt",
    "dune",
    "ember",
    "fjord",
    "glade",
    "heron",
    "indigo",
    "juniper",
    "kestrel",
    "lichen",
)


def main() -> int:
    """Seed an empty demo."""
    file, reached = Path(sys.argv[1]), Path(sys.argv[2])
    systems_told = json.loads(reached.read_text())
    _store_settings(systems_told["environment"])
    if file.exists() and Person.objects.exists():
        return 0
    systems = connected_systems()
    ada = _enter(ADMINISTRATOR, systems, announced=True)
    person = Person.objects.get(username=ada["username"])
    _, clear = tokens.create(person, name="demo", actor=ACTOR, scope=tokens.Scope.OPERATION)
    people = [_enter(names, systems) for names in LINKED]
    people.append(_import(UNLINKED, systems))
    for names in ASKING:
        register.register(_application(names, _password()))
    sample = systems_told["systems"].get("container_manager", {}).get("sample_stack")
    if sample:
        _offer_sample(on_loopback=sample == "loopback")
    known: dict[str, Any] = {
        "administrator": {
            "username": ada["username"],
            "password": ada["password"],
            "api_token": clear,
        },
        "people": people,
    }
    tell(json.dumps(known), file)
    return 0


def _offer_sample(*, on_loopback: bool) -> None:
    """Let everybody make knowledge stacks from the sample template. Raises BadInput where the
    settings do not allow it.
    """
    given = template(on_loopback=on_loopback)
    parameters = [templates.Parameter.model_validate(one) for one in given.pop("parameters")]
    draft, systems = templates.Draft(parameters=parameters, **given), connected_systems()
    added = templates.add(draft, actor=ACTOR, systems=systems)
    templates.offer(added, actor=ACTOR, systems=systems)


def _store_settings(environment: dict[str, str]) -> None:
    """Store how the systems are reached, so that pages and command line can change it. What was
    changed in a kept demo stays.
    """
    for system in registry().specs:
        prefix = f"WORKSPACE_{system.upper()}__"
        given = {
            key.removeprefix(prefix).lower(): value
            for key, value in environment.items()
            if key.startswith(prefix)
        }
        known = set(StoredSetting.objects.filter(system=system).values_list("name", flat=True))
        fresh = {
            name: value
            for name, value in given.items()
            if (name not in known or name in ADDRESSES) and not pinned_by(system, name)
        }
        if fresh:
            try:
                settings.save(system, fresh, actor=ACTOR)
            except BadInput as lacking:
                # Another port than the last time: the stored secrets were typed for that one.
                again = {name: given[name] for name in lacking.messages if name in given}
                settings.save(system, {**fresh, **again}, actor=ACTOR)


def _password() -> str:
    return "-".join(secrets.choice(WORDS) for _ in range(4)) + f"-{secrets.randbelow(900) + 100}"


def _application(names: tuple[str, str, str], password: str) -> RegistrationInput:
    username, first, last = names
    return RegistrationInput(
        username, f"{username}@example.org", first, last, password, "en", "Europe/Berlin"
    )


def _approved(
    names: tuple[str, str, str], systems: ConnectedSystems
) -> tuple[RegistrationInput, str, str]:
    password = _password()
    application = _application(names, password)
    registration = register.register(application)
    approved = approve.approve(registration.id, actor=ACTOR, systems=systems)
    return application, password, approved.sub


def _enter(
    names: tuple[str, str, str], systems: ConnectedSystems, *, announced: bool = False
) -> dict[str, Any]:
    """Register, approve, and sign in for the first time. `announced`: as an administrator, for the
    account that the approval made.
    """
    application, password, sub = _approved(names, systems)
    if announced:
        roles.make_administrator(application.username, actor=ACTOR, sub=sub)
    claims = Claims(
        sub, application.username, application.email, application.first_name, application.last_name,
        application.locale, application.timezone,
    )  # fmt: skip
    admit.enter(claims, systems)
    return {"username": application.username, "password": password, "linked": True}


def _import(names: tuple[str, str, str], systems: ConnectedSystems) -> dict[str, Any]:
    """Somebody taken over from an older system: known here, never signed in, so without account
    link.
    """
    application, password, sub = _approved(names, systems)
    person = Person.objects.create_user(
        application.username, email=application.email, first_name=application.first_name,
        last_name=application.last_name, locale="en", timezone="UTC",
    )  # fmt: skip
    Account.objects.filter(name=sub, gone_at=None).update(person=person)
    return {"username": application.username, "password": password, "linked": False}


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
