"""How to connect to a component: short texts to copy, without any secret in them."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from workspace_manager.records.models import Component

YOURS = "YOUR_ACCOUNT"
"""Stands where a reader who has no account there yet writes their own."""


@dataclass(frozen=True)
class Snippet:
    """One way to connect: for which tool, and the text."""

    name: str
    title: str
    text: str


def of(component: Component, account: str) -> list[Snippet]:
    """The snippets of a component. `account`: the reader's account there; the password is typed
    when asked for.
    """
    if component.kind == Component.Kind.SQL_DATABASE:
        return _sql(component, account)
    if component.kind == Component.Kind.TRIPLESTORE_REPOSITORY:
        return _sparql(component, account)
    return []


def _sql(component: Component, account: str) -> list[Snippet]:
    place = urlsplit(component.address)
    host, database = place.hostname or "", component.name
    if place.scheme.startswith("postgres"):
        port = place.port or 5432
        shell = f"psql -h {host} -p {port} -U {account} {database}"
        module, keyword, jdbc = "psycopg", "dbname", "postgresql"
    else:
        port = place.port or 3306
        shell = f"mariadb -h {host} -P {port} -u {account} -p {database}"
        module, keyword, jdbc = "pymysql", "database", "mariadb"
    python = (
        f"from getpass import getpass\n\nimport {module}\n\n"
        f'connection = {module}.connect(\n    host="{host}", port={port}, user="{account}",\n'
        f'    password=getpass(), {keyword}="{database}",\n)'
    )
    return [
        Snippet("shell", _("Command line"), shell),
        Snippet("python", "Python", python),
        Snippet("jdbc", "JDBC", f"jdbc:{jdbc}://{host}:{port}/{database}"),
    ]


def _sparql(component: Component, account: str) -> list[Snippet]:
    query = "SELECT * WHERE { ?s ?p ?o } LIMIT 10"
    shell = (
        f"curl -u {account} \\\n  -H 'Accept: application/sparql-results+json' \\\n"
        f"  --data-urlencode 'query={query}' \\\n  {component.address}"
    )
    python = (
        "from getpass import getpass\n\nimport requests\n\n"
        f'answer = requests.post(\n    "{component.address}",\n    data={{"query": "{query}"}},\n'
        '    headers={"Accept": "application/sparql-results+json"},\n'
        f'    auth=("{account}", getpass()),\n)\nprint(answer.json())'
    )
    load = (
        f"curl -u {account} -H 'Content-Type: text/turtle' \\\n  --data-binary @data.ttl "
        f"{component.address}/statements"
    )
    return [
        Snippet("query", _("Query from the command line"), shell),
        Snippet("load", _("Load a file"), load),
        Snippet("python", "Python", python),
    ]
