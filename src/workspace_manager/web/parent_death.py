"""End of a process with its parent: a server's worker must not outlive a killed server and keep its
port.
"""

import ctypes
import signal

_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Ask the kernel for SIGKILL when our parent ends (only on Linux; elsewhere nothing
    happens).
    """
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        return
