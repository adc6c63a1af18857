"""Make people for tests the way the stories leave them."""

from allauth.socialaccount.models import SocialAccount

from tests.fake_world.world import World
from workspace_manager.records.models import Account, Component, Person, Project


def make_person(username: str, *, sub: str = "", role: str = "user") -> Person:
    """A person; linked when `sub` is given."""
    person = Person.objects.create_user(
        username, email=f"{username}@example.org", email_confirmed=True, role=role
    )
    if sub:
        SocialAccount.objects.create(
            user=person, provider="identity_provider", uid=sub, extra_data={}
        )
        Account.objects.create(
            system="identity_provider",
            kind="identity_provider.user",
            name=sub,
            username=username,
            person=person,
        )
    return person


def here(world: World, name: str, *, role: str = "user") -> Person:
    """A person who signs in, and the user they sign in as."""
    sub = f"sub-of-{name}"
    world.things[f"identity_provider.user:{sub}"] = {
        "sub": sub,
        "username": name,
        "enabled": True,
        "sessions": 1,
    }
    return make_person(name, sub=sub, role=role)


def settle_in(person: Person, sub: str, world: World) -> None:
    """Give a person one of everything, in the records and in the world."""
    name = person.username
    project = Project.objects.create(
        owner=person, label="First", default=True, ontology_mark=f"mark-{name}"
    )
    Account.objects.create(
        system="ontology_editor",
        kind="ontology_editor.user",
        name=name,
        username=name,
        person=person,
    )
    for kind in ("sql_server.user", "triplestore.user"):
        Account.objects.create(
            system=kind.split(".")[0], kind=kind, name=name, username=name, person=person
        )
    Component.objects.create(
        owner=person, kind="sql_database", label="Db", name=f"ws_{name}", project=project
    )
    Component.objects.create(
        owner=person, kind="triplestore_repository", label="Ts", name=f"ts-{name}"
    )
    world.things |= {
        f"identity_provider.user:{sub}": {"enabled": True, "sessions": 1},
        f"identity_provider.attributes:{sub}": {
            "filesvc_login_name": sub,
            "filesvc_app_password": "set",
        },
        f"drive.account:{sub}": {"exists": True},
        f"drive.app_password:{sub}": {"exists": True},
        f"sql_server.user:{name}": {"exists": True},
        f"sql_server.database:ws_{name}": {"grantees": [name]},
        f"triplestore.user:{name}": {"exists": True},
        f"triplestore.repository:ts-{name}": {"title": "Ts"},
        f"ontology_editor.project:mark-{name}": {"title": "First"},
        f"notebook_hub.container:jupyter-{name}": {"running": True},
    }
