"""The values that a knowledge stack gets by its environment."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SignIn:
    """The client at the identity provider, and whose members may come in."""

    issuer: str
    client_id: str
    client_secret: str
    admin_group: str
    user_group: str


@dataclass(frozen=True)
class Sql:
    flavour: str
    host: str
    port: int
    database: str
    user: str
    password: str


@dataclass(frozen=True)
class Triples:
    url: str
    user: str
    password: str


@dataclass(frozen=True)
class Drive:
    url: str
    login: str
    password: str
    folder: str


@dataclass(frozen=True)
class Values:
    """All values. A value that was not given is None, and is left out."""

    name: str
    url: str
    greeting: str = ""
    data_dir: str = ""
    """The folder of the volume that outlives a container."""
    sign_in: SignIn | None = None
    sql: Sql | None = None
    triples: Triples | None = None
    drive: Drive | None = None


def read_values(given: Mapping[str, str]) -> Values:
    """Read the environment. Raises KeyError with the name of what belongs to something that was
    given, and was not.
    """
    name = given["WORKSPACE_STACK_NAME"]
    return Values(
        name=name,
        url=given["WORKSPACE_STACK_URL"].rstrip("/"),
        greeting=given.get("GREETING", ""),
        data_dir=given.get("DATA_DIR", ""),
        sign_in=_sign_in(given) if given.get("OIDC_ISSUER") else None,
        sql=_sql(given) if given.get("SQL_HOST") else None,
        triples=_triples(given) if given.get("SPARQL_URL") else None,
        drive=_drive(given, name) if given.get("DRIVE_URL") else None,
    )


def _sign_in(given: Mapping[str, str]) -> SignIn:
    return SignIn(
        issuer=given["OIDC_ISSUER"].rstrip("/"),
        client_id=given["OIDC_CLIENT_ID"],
        client_secret=given["OIDC_CLIENT_SECRET"],
        admin_group=given["OIDC_ADMIN_GROUP"],
        user_group=given["OIDC_USER_GROUP"],
    )


def _sql(given: Mapping[str, str]) -> Sql:
    return Sql(
        flavour=given["SQL_FLAVOUR"],
        host=given["SQL_HOST"],
        port=int(given["SQL_PORT"]),
        database=given["SQL_DATABASE"],
        user=given["SQL_USER"],
        password=given["SQL_PASSWORD"],
    )


def _triples(given: Mapping[str, str]) -> Triples:
    return Triples(
        url=given["SPARQL_URL"].rstrip("/"),
        user=given["SPARQL_USER"],
        password=given["SPARQL_PASSWORD"],
    )


def _drive(given: Mapping[str, str], name: str) -> Drive:
    return Drive(
        url=given["DRIVE_URL"].rstrip("/"),
        login=given["DRIVE_LOGIN"],
        password=given["DRIVE_PASSWORD"],
        folder=name,
    )
