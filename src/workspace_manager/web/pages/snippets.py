"""Snippets that show how to connect to a component; they contain no secret."""

from dataclasses import dataclass
from shlex import quote as shell
from urllib.parse import quote, urlsplit

from django.utils.translation import gettext as _

from workspace_manager.accounts.reader_access import ReaderAccess
from workspace_manager.records.models import Component

YOURS = "YOUR_ACCOUNT"
"""A placeholder for readers who have no account there yet."""


@dataclass(frozen=True)
class Snippet:
    """One way to connect: the tool, and the text to copy."""

    name: str
    title: str
    text: str


def of_reader(component: Component, access: ReaderAccess) -> list[Snippet]:
    """Return the snippets for the reader, with their own account; none if there is nothing to
    open.
    """
    if not access.level or component.state != Component.State.READY:
        return []
    return connection_snippets(component, access.account or YOURS, reads=access.level == "read")


def connection_snippets(
    component: Component, account: str, *, reads: bool = False
) -> list[Snippet]:
    """Return the snippets of a component. `account`: the reader's account there; programs ask for
    the password. `reads`: the account may only read.
    """
    if component.kind == Component.Kind.SQL_DATABASE:
        return _sql(component, account)
    if component.kind == Component.Kind.TRIPLESTORE_REPOSITORY:
        return _sparql(component, account, reads=reads)
    return []


def _sql(component: Component, account: str) -> list[Snippet]:
    place = urlsplit(component.address)
    host, database = place.hostname or "", component.name
    if place.scheme.startswith("postgres"):
        port = place.port or 5432
        command = f"psql -h {host} -p {port} -U {shell(account)} {database}"
        module, keyword, jdbc = "psycopg", "dbname", "postgresql"
        others: list[Snippet] = []
    else:
        port = place.port or 3306
        command = f"mariadb -h {host} -P {port} -u {shell(account)} -p {database}"
        module, keyword, jdbc = "pymysql", "database", "mariadb"
        mysql = f"mysql -h {host} -P {port} -u {shell(account)} -p {database}"
        others = [Snippet("mysql", _("Command line of MySQL"), mysql)]
    python = (
        f"from getpass import getpass\n\nimport {module}\n\n"
        f'connection = {module}.connect(\n    host="{host}", port={port}, user="{account}",\n'
        f'    password=getpass(), {keyword}="{database}",\n)'
    )
    return [
        Snippet("shell", _("Command line"), command),
        *others,
        Snippet("python", "Python", python),
        Snippet("jdbc", "JDBC", f"jdbc:{jdbc}://{host}:{port}/{database}"),
    ]


def _sparql(component: Component, account: str, *, reads: bool) -> list[Snippet]:
    query = "SELECT * WHERE { ?s ?p ?o } LIMIT 10"
    command = (
        f"curl -u {shell(account)} \\\n  -H 'Accept: application/sparql-results+json' \\\n"
        f"  --data-urlencode 'query={query}' \\\n  {component.address}"
    )
    python = (
        "from getpass import getpass\n\nimport requests\n\n"
        f'answer = requests.post(\n    "{component.address}",\n    data={{"query": "{query}"}},\n'
        '    headers={"Accept": "application/sparql-results+json"},\n'
        f'    auth=("{account}", getpass()),\n)\nprint(answer.json())'
    )
    load = (
        f"curl -u {shell(account)} -H 'Content-Type: text/turtle' \\\n  --data-binary @data.ttl "
        f"{component.address}/statements"
    )
    query_and_python = [
        Snippet("query", _("Query from the command line"), command),
        Snippet("python", "Python", python),
    ]
    return (
        query_and_python if reads else [*query_and_python, Snippet("load", _("Load a file"), load)]
    )


def webdav(base_url: str, login_name: str) -> list[Snippet]:
    """Return snippets that open a person's drive."""
    address = f"{base_url.rstrip('/')}/remote.php/dav/files/{quote(login_name, safe='')}/"
    return [
        Snippet("webdav", "WebDAV", address),
        Snippet("list", _("Command line"), f"curl -u {shell(login_name)} -X PROPFIND {address}"),
        Snippet(
            "upload", _("Upload a file"), f"curl -u {shell(login_name)} -T notes.txt {address}"
        ),
    ]
