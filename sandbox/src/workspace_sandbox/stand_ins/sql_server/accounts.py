"""Accounts and what they may do, kept and matched as MariaDB does."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from workspace_sandbox.stand_ins.sql_server import refusals

CLIENT_HOST: Final = "127.0.0.1"
"""Everybody comes over loopback, and names are not resolved."""
LONGEST_NAME: Final = 128

ON_DATABASES: Final = {
    "SELECT": "Select_priv",
    "INSERT": "Insert_priv",
    "UPDATE": "Update_priv",
    "DELETE": "Delete_priv",
    "CREATE": "Create_priv",
    "DROP": "Drop_priv",
    "REFERENCES": "References_priv",
    "INDEX": "Index_priv",
    "ALTER": "Alter_priv",
    "CREATE TEMPORARY TABLES": "Create_tmp_table_priv",
    "LOCK TABLES": "Lock_tables_priv",
    "CREATE VIEW": "Create_view_priv",
    "SHOW VIEW": "Show_view_priv",
    "CREATE ROUTINE": "Create_routine_priv",
    "ALTER ROUTINE": "Alter_routine_priv",
    "EXECUTE": "Execute_priv",
    "EVENT": "Event_priv",
    "TRIGGER": "Trigger_priv",
    "DELETE HISTORY": "Delete_history_priv",
}
"""Privileges and their columns in mysql.db."""
SERVER_WIDE: Final = {
    **ON_DATABASES,
    "RELOAD": "Reload_priv",
    "SHUTDOWN": "Shutdown_priv",
    "PROCESS": "Process_priv",
    "FILE": "File_priv",
    "SHOW DATABASES": "Show_db_priv",
    "SUPER": "Super_priv",
    "CREATE USER": "Create_user_priv",
    "REPLICATION SLAVE": "Repl_slave_priv",
    "CONNECTION ADMIN": "",
}
"""Privileges on the whole server and their columns in mysql.user; one has none."""

Row = dict[str, Any]


def hashed(password: str) -> str:
    """As `mysql_native_password` keeps it; without password it is empty, and anybody may
    sign in.
    """
    if not password:
        return ""
    twice = hashlib.sha1(hashlib.sha1(password.encode()).digest()).hexdigest()
    return "*" + twice.upper()


class Accounts:
    """The rows of mysql.user and mysql.db in the stand-in's state. Refuses as the server does; who
    asks was checked before.
    """

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state

    @property
    def users(self) -> list[Row]:
        found: list[Row] = self.state["users"]
        return found

    @property
    def grants(self) -> list[Row]:
        found: list[Row] = self.state["grants"]
        return found

    @property
    def variables(self) -> dict[str, str]:
        """Return the variables that tests set."""
        found: dict[str, str] = self.state.get("variables", {})
        return found

    @property
    def policy(self) -> dict[str, Any]:
        """Variables of simple_password_check; empty where it is not installed."""
        found: dict[str, Any] = self.state.setdefault("password_policy", {})
        return found

    def satisfies(self, password: str | None) -> None:
        """Raises SqlError for a password that the policy does not take."""
        if password is None or not self.policy:
            return
        counts = {
            "minimal_length": len(password),
            "digits": sum(one.isdigit() for one in password),
            "letters_same_case": min(
                sum(one.islower() for one in password), sum(one.isupper() for one in password)
            ),
            "other_characters": sum(not one.isalnum() for one in password),
        }
        if any(counts[name.partition("check_")[2]] < least for name, least in self.policy.items()):
            raise refusals.SqlError(
                1819, "Your password does not satisfy the current policy requirements"
            )

    def find(self, user: str, host: str) -> Row | None:
        return next((u for u in self.users if u["user"] == user and u["host"] == host), None)

    def sign_in(self, name: str) -> Row | None:
        """The account that answers to this name: the most exact host first, and an anonymous one
        after those with a name.
        """
        fitting = [
            u for u in self.users if u["user"] in {name, ""} and _fits(u["host"], CLIENT_HOST)
        ]
        return min(fitting, key=lambda u: (_width(u["host"]), not u["user"]), default=None)

    # --- changes ----------------------------------------------------------------------------------

    def create(self, user: str, host: str, password: str, *, calm: bool, locked: bool) -> int:
        """Gives the number of warnings: one when it is there already and `calm` (IF NOT EXISTS)."""
        if len(user) > LONGEST_NAME:
            text = (
                f"String '{user[:70]}...' is too long for user name (should be no longer "
                f"than {LONGEST_NAME})"
            )
            raise refusals.SqlError(1470, text)
        user = _stored(user)
        if self.find(user, host):
            if calm:
                return 1
            raise refusals.operation("CREATE USER", user, host)
        self.users.append({"user": user, "host": host, "hash": hashed(password), "locked": locked})
        return 0

    def alter(
        self, user: str, host: str, *, password: str | None, locked: bool | None, calm: bool
    ) -> int:
        row = self.find(_stored(user), host)
        if row is None:
            if calm:
                return 1
            raise refusals.operation("ALTER USER", user, host)
        if password is not None:
            row["hash"] = hashed(password)
        if locked is not None:
            row["locked"] = locked
        return 0

    def drop(self, user: str, host: str) -> bool:
        """Drop the account with its grants; open sessions go on. False when there is none.

        A name with blanks at its end reaches the one without.
        """
        row = self.find(_stored(user).rstrip(" "), host)
        if row is None:
            return False
        self.users.remove(row)
        mine = [g for g in self.grants if (g["user"], g["host"]) == (row["user"], host)]
        for grant in mine:
            self.grants.remove(grant)
        return True

    def grant(self, user: str, host: str, where: tuple[str, str], names: set[str]) -> None:
        """`where`: database pattern (or `*`) and table (or `*`). `names` may hold GRANT OPTION."""
        if not self.find(user, host):
            raise refusals.no_such_account()
        if not names:
            return
        row = self._grant(user, host, where)
        if row is None:
            row = {"user": user, "host": host, "db": where[0], "table": where[1], "names": []}
            self.grants.append(row)
        row["names"] = sorted({*row["names"], *names})

    def revoke(self, user: str, host: str, where: tuple[str, str], names: set[str]) -> None:
        """In the same spelling as it was granted, else 1141."""
        row = self._grant(user, host, where)
        if row is None or not names & set(row["names"]):
            raise refusals.no_such_grant(user, host)
        row["names"] = sorted(set(row["names"]) - names)
        if not row["names"]:
            self.grants.remove(row)

    def revoke_everything(self, user: str, host: str) -> None:
        if not self.find(user, host):
            raise refusals.SqlError(
                1269, "Can't revoke all privileges for one or more of the requested users"
            )
        for row in [g for g in self.grants if (g["user"], g["host"]) == (user, host)]:
            self.grants.remove(row)

    # --- who may what -----------------------------------------------------------------------------

    def server_wide(self, user: str, host: str) -> set[str]:
        row = self._grant(user, host, ("*", "*"))
        return set(row["names"]) if row else set()

    def on_database(self, user: str, host: str, database: str) -> set[str]:
        """By every pattern that fits: `_` one character, `%` any number."""
        names: set[str] = set()
        for row in self.of(user, host):
            if row["db"] != "*" and row["table"] == "*" and _matches(row["db"], database):
                names |= set(row["names"])
        return names

    def on_table(self, user: str, host: str, database: str, table: str) -> set[str]:
        names: set[str] = set()
        for row in self.of(user, host):
            if row["db"] == database and row["table"] == table:
                names |= set(row["names"])
        return names

    def may_hand_on(self, user: str, host: str, pattern: str, names: set[str]) -> bool:
        """Return whether a grant with GRANT OPTION takes in this whole pattern: `ws\\_%` takes in
        `ws\\_a`, but not `ws_a` (observed).
        """
        needed = names | {"GRANT OPTION"}
        return any(
            row["db"] != "*"
            and row["table"] == "*"
            and needed <= set(row["names"])
            and _takes_in(_pieces(row["db"]), _pieces(pattern))
            for row in self.of(user, host)
        )

    def of(self, user: str, host: str) -> Iterator[Row]:
        return (g for g in self.grants if (g["user"], g["host"]) == (user, host))

    def shown(self, user: str, host: str) -> list[str]:
        """The lines of SHOW GRANTS: the first one holds the password's hash."""
        row = self.find(user, host)
        if row is None:
            raise refusals.no_such_grant(user, host)
        names = self.server_wide(user, host)
        secret = f" IDENTIFIED BY PASSWORD '{row['hash']}'" if row["hash"] else ""
        lines = [f"GRANT {_listed(names, SERVER_WIDE)} ON *.* TO `{user}`@`{host}`{secret}"]
        lines[0] += " WITH GRANT OPTION" if "GRANT OPTION" in names else ""
        for grant in self.of(user, host):
            if grant["db"] == "*":
                continue
            names = set(grant["names"])
            table = "*" if grant["table"] == "*" else f"`{grant['table']}`"
            text = (
                f"GRANT {_listed(names, ON_DATABASES)} ON `{grant['db']}`.{table} TO "
                f"`{user}`@`{host}`"
            )
            lines.append(text + (" WITH GRANT OPTION" if "GRANT OPTION" in names else ""))
        return lines

    def _grant(self, user: str, host: str, where: tuple[str, str]) -> Row | None:
        return next((g for g in self.of(user, host) if (g["db"], g["table"]) == where), None)


def _stored(user: str) -> str:
    """The tables take characters up to U+FFFF; above that each becomes "?"."""
    return re.sub(r"[\U00010000-\U0010ffff]", "?", user)


def _listed(names: Iterable[str], all_names: Iterable[str]) -> str:
    plain = set(names) - {"GRANT OPTION"}
    if not plain:
        return "USAGE"
    return "ALL PRIVILEGES" if plain >= set(all_names) else ", ".join(sorted(plain))


def _pieces(pattern: str) -> list[str]:
    r"""Split a pattern: `any one`, `any many`, or one character, which `\` makes of the
    two signs.
    """
    return [
        "any one" if match[2] else "any many" if match[3] else match[1] or match[4]
        for match in re.finditer(r"\\([_%\\])|(_)|(%)|(.)", pattern, re.DOTALL)
    ]


def _matches(pattern: str, text: str) -> bool:
    signs = {"any one": ".", "any many": ".*"}
    expression = "".join(signs.get(piece) or re.escape(piece) for piece in _pieces(pattern))
    return re.fullmatch(expression, text, re.DOTALL) is not None


def _takes_in(wide: list[str], narrow: list[str]) -> bool:
    if not wide:
        return not narrow
    if wide[0] == "any many":
        return any(_takes_in(wide[1:], narrow[n:]) for n in range(len(narrow) + 1))
    if not narrow or narrow[0] == "any many":
        return False
    return wide[0] in {"any one", narrow[0]} and _takes_in(wide[1:], narrow[1:])


def _fits(host: str, client: str) -> bool:
    return host == client or _matches(host, client)


def _width(host: str) -> int:
    """Return how much a host takes in: an exact one first, `%` last."""
    return 0 if not re.search(r"[%_]", host) else 1000 - len(host)
