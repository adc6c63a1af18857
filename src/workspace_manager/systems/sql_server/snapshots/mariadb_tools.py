"""MariaDB's own tools: their options, and the form of their messages."""

import re
from typing import Final

from workspace_manager.systems.sql_server.client.mariadb import answers
from workspace_manager.systems.sql_server.snapshots.failures import Words

DUMPED: Final = (
    *("--single-transaction", "--quick", "--hex-blob", "--default-character-set=utf8mb4"),
    *("--skip-triggers", "--skip-comments", "--max-allowed-packet=1G", "--net-buffer-length=1M"),
)
LOADED: Final = (
    # Against commands of the client itself in a dump: running a program, reading or writing a file.
    *("--sandbox", "--local-infile=0", "--binary-mode", "--skip-reconnect", "--batch", "--quick"),
    *("--default-character-set=utf8mb4", "--max-allowed-packet=1G"),
    # Else the client cuts comments out of routines that a file itself creates.
    "--comments",
)
CHANGED: Final = frozenset({"1412", "1146"})
WORDS: Final = Words(
    code=re.compile(r"[Ee]rror:? (\d{4})|ERROR (\d{4})|\((\d{4})\)|(?:error: )(\d{4})"),
    line=re.compile(r"at line (\d+)"),
    refused=frozenset({"1045", "1130", "1698", "2026", "4151"}),
    refused_words=re.compile("TLS/SSL error"),
    passing=lambda code, _said: code.isdigit() and int(code) in answers.UNAVAILABLE,
)
TABLE: Final = re.compile(r"table [`'\"]((?:[^`'\"]|``)+)[`'\"]|Table '[^'.]*\.([^']+)'")
