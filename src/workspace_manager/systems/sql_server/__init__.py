"""The SQL server (MariaDB or PostgreSQL): one account for each person, one database for each SQL component (specification, 4.4 and 6).

What can go wrong, MariaDB: an account is a name *and* a host, so that dropping one leaves its namesakes; dropping an account leaves its
open sessions working; revoking leaves a session's current database open; a database name in a grant is a pattern, so that `team_a`
opens `teamXa`; a dropped database keeps its grants for the next one of its name; blanks at the end of a name and characters above
U+FFFF reach somebody else's account.

PostgreSQL: a longer name than 63 bytes is cut and reaches somebody else's account; an account that owns anything in any database cannot
be dropped, and what it owns belongs to nobody else; a dropped account's sessions go on without a name; everybody may connect to a fresh
database; a refused sign-in carries no code.

The statements and their codes: `client/mariadb` and `client/postgresql`, in each `dialect.py` and `answers.py`.
"""
