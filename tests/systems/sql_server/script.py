"""One life in statements, with the code each is answered with: the stand-in's must be the real
server's.
"""

import contextlib
from typing import Any

from tests.systems.sql_server.database_server import DatabaseServer, ask, code, try_sign_in

ADMIN = r"""
CREATE USER 'ann'@'%' IDENTIFIED BY 'a'
CREATE USER 'ann'@'%' IDENTIFIED BY 'b'
CREATE USER IF NOT EXISTS 'ann'@'%' IDENTIFIED BY 'b'
ALTER USER 'nobody'@'%' IDENTIFIED BY 'b'
ALTER USER IF EXISTS 'nobody'@'%' IDENTIFIED BY 'b'
DROP USER 'nobody'@'%'
DROP USER IF EXISTS 'nobody'@'%'
CREATE DATABASE ws_one
CREATE DATABASE ws_one
CREATE DATABASE IF NOT EXISTS ws_one
DROP DATABASE ws_none
DROP DATABASE IF EXISTS ws_none
GRANT ALL PRIVILEGES ON `ws\_one`.* TO 'nobody'@'%'
GRANT ALL PRIVILEGES ON `ws\_one`.* TO 'ann'@'%'
REVOKE ALL PRIVILEGES ON `ws_one`.* FROM 'ann'@'%'
REVOKE ALL PRIVILEGES ON `ws\_two`.* FROM 'ann'@'%'
REVOKE ALL PRIVILEGES ON `ws\_two`.* FROM 'nobody'@'%'
SHOW GRANTS FOR 'nobody'@'%'
KILL CONNECTION USER 'nobody'
KILL CONNECTION 999999
USE ws_none
SELECT * FROM ws_one.absent
SELECT * FROM absent
SELECT User FROM mysql.absent
FROBNICATE
SELECT 1; SELECT 2
SELECT 'open
CREATE USER
SET SESSION no_such_variable = 1
CREATE USER 'low'@'%' IDENTIFIED BY 'l'
GRANT CREATE USER ON *.* TO 'low'@'%'
CREATE DATABASE wsXone
"""
ANN = r"""
SELECT 1
SELECT CURRENT_USER()
SHOW DATABASES
SHOW GRANTS
SHOW TABLES
USE ws_one
SHOW TABLES
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20))
CREATE TABLE t (id INT PRIMARY KEY)
INSERT INTO t VALUES (1, 'one'), (2, 'two')
INSERT INTO t VALUES (1, 'again')
INSERT INTO t VALUES (3)
SELECT * FROM t
SELECT COUNT(*) FROM t
SELECT missing FROM t
UPDATE t SET name = 'uno' WHERE id = 1
SELECT name FROM t WHERE id = 1
DELETE FROM t WHERE id = 2
SELECT * FROM ws_one.t
USE wsXone
USE ws_none
USE mysql
CREATE TABLE wsXone.t (a INT)
SELECT * FROM wsXone.t
SELECT User FROM mysql.user
SELECT SCHEMA_NAME FROM information_schema.SCHEMATA ORDER BY SCHEMA_NAME
CREATE DATABASE ws_mine
DROP DATABASE wsXone
CREATE USER 'x'@'%' IDENTIFIED BY 'x'
DROP USER 'low'@'%'
GRANT SELECT ON `ws\_one`.* TO 'low'@'%'
SHOW GRANTS FOR 'low'@'%'
KILL CONNECTION USER 'admin'
DROP TABLE t
DROP TABLE t
"""
LOW = r"""
CREATE USER 'y'@'%' IDENTIFIED BY 'y'
DROP USER 'y'@'%'
GRANT SELECT ON `ws\_one`.* TO 'low'@'%'
GRANT SELECT ON *.* TO 'low'@'%'
SELECT User FROM mysql.user
"""
ROWS = ("SELECT", "SHOW DATABASES", "SHOW TABLES", "SHOW GRANTS")


def answers_of(server: DatabaseServer) -> list[tuple[str, Any]]:
    """Every statement with its code, and with its rows where people read them."""
    answers: list[tuple[str, Any]] = []
    password = server.settings.admin_password
    assert password
    with contextlib.closing(server.sign_in("admin", password.reveal())) as admin:
        answers += _say(admin, ADMIN, rows=False)
        for sign_in in (("ann", "a"), ("ann", "b"), ("nobody", ""), ("ann", "")):
            answers.append((f"sign in {sign_in}", try_sign_in(server, *sign_in)))
        with contextlib.closing(server.sign_in("ann", "a")) as ann:
            answers += _say(ann, ANN, rows=True)
        with contextlib.closing(server.sign_in("low", "l")) as low:
            answers += _say(low, LOW, rows=False)
        answers += _say(admin, "ALTER USER 'ann'@'%' ACCOUNT LOCK", rows=False)
        answers += [(f"locked {p}", try_sign_in(server, "ann", p)) for p in ("a", "b")]
    return answers


def _say(connection: Any, script: str, *, rows: bool) -> list[tuple[str, Any]]:
    said: list[tuple[str, Any]] = []
    for statement in script.strip().splitlines():
        answer: Any = code(connection, statement)
        if rows and answer == 0 and statement.startswith(ROWS):
            answer = ask(connection, statement)
        said.append((statement, answer))
    return said
