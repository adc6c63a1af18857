"""The SQL server (MariaDB): one account for each person, one database for each SQL component (specification, sections 4.4 and 6).

What can go wrong: an account is a name *and* a host, so that dropping one leaves its namesakes; dropping an account leaves its open
sessions working; revoking leaves a session's current database open; a database name in a grant is a pattern, so that `team_a` opens
`teamXa`; a dropped database keeps its grants for the next one of its name; blanks at the end of a name and characters above U+FFFF
reach somebody else's account. The statements and their codes: `client/dialect.py`, `client/answers.py`.
"""
