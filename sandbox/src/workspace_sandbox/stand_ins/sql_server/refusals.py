"""Errors as MariaDB 10.11 sends them: code, state and text."""


class SqlError(Exception):
    """A statement or sign-in is refused with this error packet."""

    def __init__(self, code: int, text: str, *, state: str = "HY000") -> None:
        super().__init__(code)
        self.code = code
        self.text = text
        self.state = state

    def packet(self) -> bytes:
        return b"\xff" + self.code.to_bytes(2, "little") + f"#{self.state}{self.text}".encode()


def syntax(near: str = "") -> SqlError:
    return SqlError(
        1064,
        "You have an error in your SQL syntax; check the manual that corresponds to your "
        "MariaDB server version for the right syntax to "
        f"use near '{near}' at line 1",
        state="42000",
    )


def unsupported(what: str) -> SqlError:
    """The stand-in's own honesty: the real server would understand this."""
    return SqlError(1235, f"This stand-in of a MariaDB doesn't yet support '{what}'", state="42000")


def sign_in(user: str, host: str, *, password: bool) -> SqlError:
    using = "YES" if password else "NO"
    text = f"Access denied for user '{user}'@'{host}' (using password: {using})"
    return SqlError(1045, text, state="28000")


def account_locked() -> SqlError:
    return SqlError(4151, "Access denied, this account is locked")


def on_database(user: str, host: str, database: str) -> SqlError:
    text = f"Access denied for user '{user}'@'{host}' to database '{database}'"
    return SqlError(1044, text, state="42000")


def on_table(command: str, user: str, host: str, database: str, table: str) -> SqlError:
    text = f"{command} command denied to user '{user}'@'{host}' for table `{database}`.`{table}`"
    return SqlError(1142, text, state="42000")


def privilege(names: str) -> SqlError:
    text = f"Access denied; you need (at least one of) the {names} privilege(s) for this operation"
    return SqlError(1227, text, state="42000")


def operation(verb: str, user: str, host: str) -> SqlError:
    return SqlError(1396, f"Operation {verb} failed for '{user}'@'{host}'")


def no_such_account() -> SqlError:
    return SqlError(1133, "Can't find any matching row in the user table", state="28000")


def no_such_grant(user: str, host: str) -> SqlError:
    text = f"There is no such grant defined for user '{user}' on host '{host}'"
    return SqlError(1141, text, state="42000")


def no_such_database(name: str) -> SqlError:
    return SqlError(1049, f"Unknown database '{name}'", state="42000")


def no_such_table(database: str, table: str) -> SqlError:
    return SqlError(1146, f"Table '{database}.{table}' doesn't exist", state="42S02")
