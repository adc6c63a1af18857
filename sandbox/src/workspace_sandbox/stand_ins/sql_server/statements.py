"""The statements about accounts, databases and sessions; whatever is none of these, nor about
tables, is refused.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol, TypeAlias

from workspace_sandbox.stand_ins.sql_server import refusals
from workspace_sandbox.stand_ins.sql_server.accounts import Accounts
from workspace_sandbox.stand_ins.sql_server.granting import grant, revoke
from workspace_sandbox.stand_ins.sql_server.lexer import Reader, tokens
from workspace_sandbox.stand_ins.sql_server.system_tables import SERVER_VARIABLES, SYSTEM_DATABASES
from workspace_sandbox.stand_ins.sql_server.tables import VARIABLES, Tables
from workspace_sandbox.stand_ins.sql_server.visitor import Answer, Visitor

LONGEST_DATABASE: Final = 64
SETTABLE: Final = (
    *("AUTOCOMMIT", "SQL_MODE", "LOCK_WAIT_TIMEOUT", "CHARACTER_SET_RESULTS", "WAIT_TIMEOUT"),
    *("MAX_STATEMENT_TIME", "INNODB_LOCK_WAIT_TIMEOUT", "TIME_ZONE", "FOREIGN_KEY_CHECKS"),
)
"""Session variables that may be set; setting one has no effect here."""


CarryOut: TypeAlias = Callable[[Visitor, Reader], Answer]


class Shape(NamedTuple):
    """The beginning of a statement that is understood, which method carries it out, and who sends
    it.

    Without a method it is about tables, or asks the server's own ones.
    """

    begin: str
    handler: str
    callers: tuple[str, ...]


_SESSION = "workspace_manager.systems.sql_server.client.mariadb.session:MariaDBSession"
_CONNECTION = "workspace_manager.systems.sql_server.client.mariadb.connection:Connection"
_PERSON = "demo person"
SHAPES: Final = (
    Shape("CREATE USER", "_create_user", (f"{_SESSION}.create_account",)),
    Shape("ALTER USER", "_alter_user", (f"{_SESSION}.lock", f"{_SESSION}.set_password")),
    Shape("DROP USER", "_drop_user", (f"{_SESSION}.drop_account",)),
    Shape("GRANT", "_grant", (f"{_SESSION}.grant",)),
    Shape("REVOKE", "_revoke", (f"{_SESSION}.revoke",)),
    Shape("SHOW GRANTS", "_show_grants", (f"{_SESSION}.own_privileges",)),
    Shape("SHOW DATABASES", "_show_databases", ("outsider", _PERSON)),
    Shape("SHOW TABLES", "_show_tables", (_PERSON,)),
    Shape("SHOW SESSION STATUS LIKE", "_show_status", (f"{_SESSION}.is_encrypted",)),
    Shape("SHOW GLOBAL VARIABLES", "_show_variables", (f"{_SESSION}.variables",)),
    Shape("USE", "_use", (_PERSON,)),
    Shape("CREATE DATABASE", "_create_database", (f"{_SESSION}.create_database",)),
    Shape("DROP DATABASE", "_drop_database", (f"{_SESSION}.drop_database",)),
    Shape("KILL", "_kill", (f"{_SESSION}.end_sessions",)),
    Shape("SET", "_set", (_CONNECTION, _PERSON)),
    *(
        Shape(begin, "_nothing", (_PERSON,))
        for begin in ("START TRANSACTION", "BEGIN", "COMMIT", "ROLLBACK")
    ),
    Shape("SELECT", "", (_SESSION, _PERSON)),
    *(
        Shape(begin, "", (_PERSON,))
        for begin in ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "TRUNCATE")
    ),
)
ABOUT_TABLES: Final = tuple(shape.begin for shape in SHAPES if not shape.handler)


class Sessions(Protocol):
    """The sessions of who is signed in, and how to end them."""

    def visitors(self) -> list[Visitor]: ...

    def cut(self, number: int) -> None: ...


class Statements:
    """Carry out statements for visitors."""

    def __init__(self, accounts: Accounts, tables: Tables, sessions: Sessions) -> None:
        self.accounts = accounts
        self.tables = tables
        self.sessions = sessions

    def run(self, visitor: Visitor, statement: str) -> Answer:
        """Raises SqlError."""
        words = tokens(statement)
        if not words:
            raise refusals.SqlError(1065, "Query was empty", state="42000")
        reader = Reader(words)
        for shape in SHAPES:
            if shape.handler and reader.comes(*shape.begin.split()):
                carry_out: CarryOut = getattr(self, shape.handler)
                return carry_out(visitor, reader)
        if words[0].text.upper() in ABOUT_TABLES:
            return self.tables.run(visitor, self.sessions.visitors(), statement)
        raise refusals.syntax(words[0].text if words[0].kind == "word" else "")

    def _grant(self, visitor: Visitor, reader: Reader) -> Answer:
        return grant(self.accounts, visitor, reader)

    def _revoke(self, visitor: Visitor, reader: Reader) -> Answer:
        return revoke(self.accounts, visitor, reader)

    # --- accounts ---------------------------------------------------------------------------------

    def _create_user(self, visitor: Visitor, reader: Reader) -> Answer:
        calm = reader.comes("IF", "NOT", "EXISTS")
        user, host = reader.account()
        password, locked = _identified(reader)
        visitor.require("CREATE USER")
        self.accounts.satisfies(password)
        warnings = self.accounts.create(user, host, password or "", calm=calm, locked=bool(locked))
        return Answer(warnings=warnings)

    def _alter_user(self, visitor: Visitor, reader: Reader) -> Answer:
        calm = reader.comes("IF", "EXISTS")
        user, host = reader.account()
        password, locked = _identified(reader)
        if password is None and locked is None:
            raise refusals.syntax(reader.rest())
        visitor.require("CREATE USER")
        self.accounts.satisfies(password)
        warnings = self.accounts.alter(user, host, password=password, locked=locked, calm=calm)
        return Answer(warnings=warnings)

    def _drop_user(self, visitor: Visitor, reader: Reader) -> Answer:
        """Several are dropped one by one: that one of them is missing does not keep the others."""
        calm = reader.comes("IF", "EXISTS")
        named = reader.listed(reader.account)
        reader.end()
        visitor.require("CREATE USER")
        missing = [account for account in named if not self.accounts.drop(*account)]
        if missing and not calm:
            raise refusals.operation("DROP USER", *missing[0])
        return Answer(warnings=len(missing))

    def _show_grants(self, visitor: Visitor, reader: Reader) -> Answer:
        user, host = visitor.user, visitor.host
        if reader.comes("FOR") and not reader.comes("CURRENT_USER"):
            user, host = reader.account()
        reader.comes("(", ")")
        reader.end()
        if (user, host) != (visitor.user, visitor.host):
            visitor.require_in(self.accounts, "SELECT", "mysql")
        lines = self.accounts.shown(user, host)
        return Answer([(line,) for line in lines], [f"Grants for {user}@{host}"])

    # --- databases --------------------------------------------------------------------------------

    def _show_databases(self, visitor: Visitor, reader: Reader) -> Answer:
        reader.end()
        names = sorted({*self.tables.databases, *SYSTEM_DATABASES})
        seen = [n for n in names if n == "information_schema" or visitor.sees(self.accounts, n)]
        return Answer([(name,) for name in seen], ["Database"])

    def _show_tables(self, visitor: Visitor, reader: Reader) -> Answer:
        database = visitor.database
        if reader.comes("FROM") or reader.comes("IN"):
            database = reader.name()
        reader.end()
        if not database:
            raise refusals.SqlError(1046, "No database selected", state="3D000")
        visitor.require_in(self.accounts, "SELECT", database)
        if not self.tables.exists(database):
            raise refusals.no_such_database(database)
        names = self.tables.names(database)
        return Answer([(name,) for name in names], [f"Tables_in_{database}"])

    def _use(self, visitor: Visitor, reader: Reader) -> Answer:
        database = reader.name()
        reader.end()
        return self.use(visitor, database)

    def use(self, visitor: Visitor, database: str) -> Answer:
        """A database that is not there is unknown only to somebody who might go there."""
        before = visitor.database, visitor.in_database
        if database != "information_schema":
            visitor.go_to(self.accounts, database)
        if not self.tables.exists(database):
            visitor.database, visitor.in_database = before
            raise refusals.no_such_database(database)
        visitor.database = database
        return Answer()

    def _create_database(self, visitor: Visitor, reader: Reader) -> Answer:
        calm = reader.comes("IF", "NOT", "EXISTS")
        name = reader.name()
        reader.comes("DEFAULT")
        if reader.comes("CHARACTER", "SET") or reader.comes("CHARSET"):
            reader.comes("=")
            reader.name()
        if reader.comes("COLLATE"):
            reader.comes("=")
            reader.name()
        reader.end()
        visitor.require_in(self.accounts, "CREATE", name)
        if len(name) > LONGEST_DATABASE:
            raise refusals.SqlError(1059, "Identifier name is too long", state="42000")
        if name != name.rstrip():
            raise refusals.SqlError(1102, "Incorrect database name", state="42000")
        if self.tables.exists(name):
            if calm:
                return Answer(affected=1, warnings=1)
            raise refusals.SqlError(1007, f"Can't create database '{name}'; database exists")
        self.tables.create(name)
        return Answer(affected=1)

    def _drop_database(self, visitor: Visitor, reader: Reader) -> Answer:
        """Its grants stay, and open the next database of this name."""
        calm = reader.comes("IF", "EXISTS")
        name = reader.name()
        reader.end()
        visitor.require_in(self.accounts, "DROP", name)
        if name in SYSTEM_DATABASES:
            raise refusals.on_database(visitor.user, visitor.host, name)
        if not self.tables.exists(name):
            if calm:
                return Answer(warnings=1)
            raise refusals.SqlError(1008, f"Can't drop database '{name}'; database doesn't exist")
        affected = self.tables.drop(name)
        for other in self.sessions.visitors():
            if other.database == name:
                other.database, other.in_database = "", set()
        return Answer(affected=affected)

    # --- sessions ---------------------------------------------------------------------------------

    def _kill(self, visitor: Visitor, reader: Reader) -> Answer:
        """KILL [HARD | SOFT] [CONNECTION] {number | USER name}. To end one statement alone is not
        offered here.
        """
        if not reader.comes("HARD"):
            reader.comes("SOFT")
        reader.comes("CONNECTION")
        over_others = bool(visitor.server_wide & {"CONNECTION ADMIN", "SUPER"})
        everybody = self.sessions.visitors()
        if reader.comes("USER"):
            user, host = reader.account()
            reader.end()
            ended = [v for v in everybody if v.user == user and host in {"%", v.host}]
            if ended and not (over_others or user == visitor.user):
                # Only somebody who may know of the session is told (observed, 10.11); else it is
                # skipped, with success.
                if "PROCESS" in visitor.server_wide:
                    raise refusals.SqlError(1095, f"You are not owner of thread {ended[0].number}")
                ended = []
        else:
            number = int(reader.one_of("number").value)
            reader.end()
            ended = [v for v in everybody if v.number == number]
            if not ended:
                raise refusals.SqlError(1094, f"Unknown thread id: {number}")
            if ended[0].user != visitor.user and not over_others:
                raise refusals.SqlError(1095, f"You are not owner of thread {number}")
        for other in ended:
            self.sessions.cut(other.number)
        return Answer(affected=len(ended))

    def _show_status(self, _visitor: Visitor, reader: Reader) -> Answer:
        name = reader.string()
        reader.end()
        known = {key.lower(): key.capitalize() for key in VARIABLES if key == "ssl_cipher"}
        shown = [(known[name.lower()], "")] if name.lower() in known else []
        return Answer(shown, ["Variable_name", "Value"])

    def _show_variables(self, _visitor: Visitor, reader: Reader) -> Answer:
        reader.end()
        known = {**SERVER_VARIABLES, **self.accounts.policy, **self.accounts.variables}
        shown = [(name, str(value)) for name, value in known.items()]
        return Answer(shown, ["Variable_name", "Value"])

    def _set(self, visitor: Visitor, reader: Reader) -> Answer:
        if reader.comes("NAMES"):
            reader.one_of("word", "string")
            if reader.comes("COLLATE"):
                reader.one_of("word", "string")
            reader.end()
            return Answer()
        if reader.comes("GLOBAL"):
            raise refusals.privilege("SUPER")
        reader.comes("SESSION")
        reader.listed(lambda: _assign(reader))
        reader.end()
        return Answer()

    def _nothing(self, _visitor: Visitor, reader: Reader) -> Answer:
        """Every statement here takes effect by itself, as in a MyISAM table; ROLLBACK says so with
        a warning there too.
        """
        reader.end()
        return Answer()


def _identified(reader: Reader) -> tuple[str | None, bool | None]:
    """[IDENTIFIED BY '…'] [ACCOUNT LOCK | UNLOCK], and the end of the statement."""
    password: str | None = None
    locked: bool | None = None
    if reader.comes("IDENTIFIED", "BY"):
        password = reader.string()
    if reader.comes("ACCOUNT", "LOCK"):
        locked = True
    elif reader.comes("ACCOUNT", "UNLOCK"):
        locked = False
    reader.end()
    return password, locked


def _assign(reader: Reader) -> None:
    name = reader.one_of("word", "variable").value
    bare = name.removeprefix("@@").removeprefix("session.").upper()
    if bare not in SETTABLE:
        raise refusals.SqlError(1193, f"Unknown system variable '{name}'")
    reader.must("=")
    reader.one_of("string", "number", "word")
