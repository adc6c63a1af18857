"""Content of a PostgreSQL database: its tables, counted so that they can be compared, and what
shows that it is empty.
"""

from typing import Final

from psycopg.sql import SQL, Composed, Identifier

from workspace_manager.systems.sql_server.client.postgresql.connection import Connection

LARGE_OBJECTS: Final = "large objects"
"""The name under which large objects are counted together; names of tables begin with their
schema.
"""
_OF_NOBODY: Final = (
    "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND NOT EXISTS"
    " (SELECT FROM pg_depend d WHERE d.objid = {} AND d.deptype = 'e')"
)
"""Neither the server's own objects nor an extension's."""
_TABLES: Final = SQL(
    "SELECT n.nspname::text, c.relname::text FROM pg_class c JOIN pg_namespace n"  # noqa: S608
    f" ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND {_OF_NOBODY.format('c.oid')}"
    ' ORDER BY n.nspname::text COLLATE "C", c.relname::text COLLATE "C"'
)
_COUNT_LARGE_OBJECTS: Final = SQL(
    "SELECT count(*), coalesce(sum(('x' || substr(md5(oid::text || md5(lo_get(oid))), 1, 15))"
    "::bit(60)::bigint), 0) FROM pg_largeobject_metadata"
)
_CONTENT: Final = SQL(
    "SELECT (SELECT count(*) FROM pg_class c JOIN pg_namespace n"  # noqa: S608
    " ON n.oid = c.relnamespace WHERE"
    f" {_OF_NOBODY.format('c.oid')})"
    " + (SELECT count(*) FROM pg_proc c JOIN pg_namespace n ON n.oid = c.pronamespace WHERE"
    f" {_OF_NOBODY.format('c.oid')})"
    " + (SELECT count(*) FROM pg_type c JOIN pg_namespace n ON n.oid = c.typnamespace WHERE"
    f" {_OF_NOBODY.format('c.oid')})"
    " + (SELECT count(*) FROM pg_namespace n WHERE n.nspname <> 'public' AND"
    f" {_OF_NOBODY.format('n.oid')})"
    " + (SELECT count(*) FROM pg_largeobject_metadata)"
    " + (SELECT count(*) FROM pg_extension WHERE extname <> 'plpgsql')"
)
_OF_OTHERS: Final = SQL(
    "SELECT count(*) FROM pg_class c JOIN pg_namespace n"  # noqa: S608
    f" ON n.oid = c.relnamespace WHERE {_OF_NOBODY.format('c.oid')}"
    " AND c.relowner <> (SELECT oid FROM pg_roles WHERE rolname::text = %s)"
)
_EXTENSIONS: Final = SQL(
    "SELECT e.extname::text, n.nspname::text FROM pg_extension e JOIN pg_namespace n ON n.oid ="
    " e.extnamespace WHERE NOT EXISTS (SELECT FROM pg_available_extension_versions v WHERE"
    " v.name = e.extname AND v.version = e.extversion AND v.trusted)"
    " AND e.extname <> 'plpgsql' ORDER BY e.oid"
)
CONSISTENT: Final = (
    SQL("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
    SQL("SET LOCAL TimeZone = 'UTC'"),
    SQL("SET LOCAL DateStyle = 'ISO, YMD'"),
    SQL("SET LOCAL IntervalStyle = 'iso_8601'"),
    SQL("SET LOCAL extra_float_digits = 1"),
    SQL("SET LOCAL bytea_output = 'hex'"),
)
"""All counts as of one moment, and with one text form of each value."""
_EXPORT: Final = SQL("SELECT pg_export_snapshot()")


def export_snapshot(connection: Connection) -> str:
    """Return the name by which a tool reads the very same moment while the transaction lasts."""
    [(name,)] = connection.rows(_EXPORT)
    return str(name)


def read_tables(connection: Connection) -> list[tuple[str, str]]:
    """Return schema and name of each table with rows of its own."""
    return [(str(schema), str(name)) for schema, name in connection.rows(_TABLES)]


def count_rows(connection: Connection, schema: str, name: str) -> tuple[int, str]:
    """Return the number of rows, and a number that is the same for the same rows in any order."""
    table = Identifier(schema, name)
    asked: Composed = SQL(
        "SELECT count(*), coalesce(sum(hashtextextended(ROW(t.*)::text, 0)), 0) FROM ONLY {} t"
    ).format(table)
    [(rows, total)] = connection.ask(asked)
    return int(rows), f"{int(total):x}"


def count_large_objects(connection: Connection) -> tuple[int, str]:
    [(rows, total)] = connection.rows(_COUNT_LARGE_OBJECTS)
    return int(rows), f"{int(total):x}"


def is_empty(connection: Connection) -> bool:
    [(count,)] = connection.rows(_CONTENT)
    return not count


def has_of_others(connection: Connection, owner: str) -> bool:
    """Return whether something in it belongs to anybody except this role."""
    [(count,)] = connection.rows(_OF_OTHERS, owner)
    return bool(count)


def read_extensions(connection: Connection) -> list[tuple[str, str]]:
    """Return name and schema of extensions that only an administrator can make, in their order."""
    return [(str(name), str(schema)) for name, schema in connection.rows(_EXTENSIONS)]


def make_extension(connection: Connection, name: str, schema: str) -> None:
    connection.do(
        SQL("CREATE EXTENSION IF NOT EXISTS {} WITH SCHEMA {}").format(
            Identifier(name), Identifier(schema)
        )
    )


def read_everything(user: str) -> Composed:
    """Return the statement that lets a role read everything in each database it may enter."""
    return SQL("GRANT pg_read_all_data TO {}").format(Identifier(user))
