"""Faults in the set-up of a real drive, made and mended one at a time."""

from collections.abc import Callable
from dataclasses import dataclass

from workspace_sandbox.real.nextcloud import Inside

Do = Callable[[Inside], object]


@dataclass(frozen=True)
class Wrong:
    """One misconfiguration: made, mended, and what is found: the finding's name and words of it.
    `unsaid`: what is said of nothing then, since it is not so.
    """

    name: str
    make: Do
    mend: Do
    found: tuple[tuple[str, str], ...]
    unsaid: tuple[str, ...] = ()


def of_provider(option: str, wrong: str, right: str, *found: tuple[str, str]) -> Wrong:
    """An option of the provider."""
    return Wrong(
        f"{option}={wrong}",
        lambda inside: inside.provider(f"{option}={wrong}"),
        lambda inside: inside.provider(f"{option}={right}"),
        found,
    )


def of_app(option: str, wrong: str, right: str, *found: tuple[str, str]) -> Wrong:
    """A switch of the app."""
    command = ("config:app:set", "user_oidc", option)
    return Wrong(
        f"{option}={wrong}",
        lambda inside: inside.told(*command, f"--value={wrong}"),
        lambda inside: inside.told(*command, f"--value={right}"),
        found,
    )


def of_server(option: str, wrong: str, right: str, *found: tuple[str, str]) -> Wrong:
    """A switch in the configuration file."""
    command = ("config:system:set", *option.split(), "--type=boolean")
    return Wrong(
        f"{option}={wrong}",
        lambda inside: inside.told(*command, f"--value={wrong}"),
        lambda inside: inside.told(*command, f"--value={right}"),
        found,
    )


def second_provider(inside: Inside) -> None:
    first = ("--clientid=second", "--clientsecret=second")
    uri = str(inside.ask("SELECT discovery_endpoint FROM oc_user_oidc_providers")[0][0])
    inside.told("user_oidc:provider", "second", *first, f"--discoveryuri={uri}")


def without_provider(inside: Inside) -> None:
    inside.ask("RENAME TABLE oc_user_oidc_providers TO kept_providers")
    inside.ask("CREATE TABLE oc_user_oidc_providers LIKE kept_providers")


def with_provider(inside: Inside) -> None:
    inside.ask("DROP TABLE oc_user_oidc_providers")
    inside.ask("RENAME TABLE kept_providers TO oc_user_oidc_providers")


def account_named(name: str, *found: tuple[str, str]) -> Wrong:
    """An account whose name was made in another way."""
    return Wrong(
        f"an account {name[:20]}",
        lambda inside: inside.told(
            "user:add", "--password-from-env", name, environment={"OC_PASS": "of nobody"}
        ),
        lambda inside: inside.told("user:delete", name),
        found,
    )


def of_text(option: str, wrong: str, right: str, *found: tuple[str, str]) -> Wrong:
    """A text or a number in the configuration file."""
    return Wrong(
        f"{option}={wrong}",
        lambda inside: inside.told("config:system:set", option, f"--value={wrong}"),
        lambda inside: inside.told("config:system:set", option, f"--value={right}"),
        found,
    )


def of_column(name: str, column: str, make: Do, *found: tuple[str, str]) -> Wrong:
    """Something of the provider that no option gives back: kept as the database has it."""
    kept: list[str] = []

    def spoil(inside: Inside) -> None:
        value = inside.ask(f"SELECT {column} FROM oc_user_oidc_providers")[0][0]
        kept.append("NULL" if value is None else f"'{value}'")
        make(inside)

    def mend(inside: Inside) -> None:
        inside.ask(f"UPDATE oc_user_oidc_providers SET {column}={kept.pop()}")

    return Wrong(name, spoil, mend, found)
