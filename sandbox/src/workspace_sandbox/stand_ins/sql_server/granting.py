"""GRANT and REVOKE: a database in a grant is a pattern, and a revocation must be spelled like its
grant.
"""

from typing import Final

from workspace_sandbox.stand_ins.sql_server import refusals
from workspace_sandbox.stand_ins.sql_server.accounts import ON_DATABASES, SERVER_WIDE, Accounts
from workspace_sandbox.stand_ins.sql_server.lexer import Reader
from workspace_sandbox.stand_ins.sql_server.visitor import Answer, Visitor

GRANT_OPTION: Final = "GRANT OPTION"
ON_TABLES: Final = ("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "INDEX")


def grant(accounts: Accounts, visitor: Visitor, reader: Reader) -> Answer:
    """GRANT … ON … TO account, … [WITH GRANT OPTION]."""
    names = reader.listed(lambda: _privilege(reader))
    where = _where(visitor, reader, "ON")
    reader.must("TO")
    to = reader.listed(reader.account)
    option = {GRANT_OPTION} if reader.comes("WITH", "GRANT", "OPTION") else set()
    reader.end()
    given = _given(names, where) | option
    _require(accounts, visitor, where, given)
    for user, host in to:
        accounts.grant(user, host, where, given)
    return Answer()


def revoke(accounts: Accounts, visitor: Visitor, reader: Reader) -> Answer:
    """REVOKE … ON … FROM account, …; or REVOKE ALL PRIVILEGES, GRANT OPTION FROM account, …."""
    names = reader.listed(lambda: _privilege(reader))
    if reader.comes("FROM"):
        if {*names} != {"ALL", GRANT_OPTION}:
            raise refusals.syntax()
        everybody = reader.listed(reader.account)
        reader.end()
        visitor.require("CREATE USER")
        for user, host in everybody:
            accounts.revoke_everything(user, host)
        return Answer()
    where = _where(visitor, reader, "ON")
    reader.must("FROM")
    losing = reader.listed(reader.account)
    reader.end()
    taken = _given(names, where)
    _require(accounts, visitor, where, taken)
    for user, host in losing:
        accounts.revoke(user, host, where, taken)
    return Answer()


def _privilege(reader: Reader) -> str:
    """One privilege, of one word or several; `ALL` for all."""
    if reader.comes("ALL"):
        reader.comes("PRIVILEGES")
        return "ALL"
    for name in sorted({*SERVER_WIDE, GRANT_OPTION, "USAGE"}, key=len, reverse=True):
        if reader.comes(*name.split()):
            return name
    raise refusals.syntax(reader.rest())


def _where(visitor: Visitor, reader: Reader, word: str) -> tuple[str, str]:
    reader.must(word)
    if reader.comes("*", ".", "*"):
        return "*", "*"
    if reader.comes("*"):
        return visitor.database, "*"
    database = reader.name()
    reader.must(".")
    return database, "*" if reader.comes("*") else reader.name()


def _given(names: list[str], where: tuple[str, str]) -> set[str]:
    known = SERVER_WIDE if where[0] == "*" else ON_DATABASES if where[1] == "*" else ON_TABLES
    given = {name for name in names if name not in {"ALL", "USAGE"}}
    if not given <= {*known, GRANT_OPTION}:
        raise refusals.SqlError(1221, "Incorrect usage of DB GRANT and GLOBAL PRIVILEGES")
    return given | set(known) if "ALL" in names else given


def _require(accounts: Accounts, visitor: Visitor, where: tuple[str, str], names: set[str]) -> None:
    """Nobody hands on, or takes away, what he may not hand on."""
    database, table = where
    if visitor.server_wide >= names | {GRANT_OPTION}:
        return
    if database == "*":
        raise refusals.sign_in(visitor.user, visitor.host, password=True)
    if table != "*":
        raise refusals.on_table("GRANT", visitor.user, visitor.host, database, table)
    if not accounts.may_hand_on(visitor.user, visitor.host, database, names):
        raise refusals.on_database(visitor.user, visitor.host, database)
