"""A stand-in of the drive: Nextcloud 29 with user_oidc as seen on the wire (recorded exchanges),
for the sandbox and tests.

It verifies what the real one verifies: token signatures against the identity provider's own keys,
audience and expiry, password hashes, brute-force throttling; and it shows the real one's traps:
success statuses for failures, early errors in XML, accounts that come back with a still valid
token, cookies that run a call as somebody else.
"""

from workspace_sandbox.stand_ins.drive.server import DriveStandIn

__all__ = ["DriveStandIn"]
