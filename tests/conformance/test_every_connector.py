"""The checks of the sandbox's conformance suite, for every connector of ours on its stand-in and on
the real part.
"""

from tests.conformance.parts import PLACES
from workspace_sandbox.conformance.checks import *  # noqa: F403

__all__ = ["PLACES"]
