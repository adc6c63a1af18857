"""A real OpenGDB on loopback before a real RDF4J, from the archive in the folder of parts.

`environment.py` what it runs from, made once · `server.py` one running OpenGDB ·
`loopback_settings.py` is run by its own Python and never imported here.
"""

from workspace_sandbox.real.opengdb.environment import version
from workspace_sandbox.real.opengdb.server import (
    ADMIN,
    NAME,
    Address,
    OpenGDB,
    OpenGDBFailed,
    prepare,
    why_not,
)

__all__ = ["ADMIN", "NAME", "Address", "OpenGDB", "OpenGDBFailed", "prepare", "version", "why_not"]
