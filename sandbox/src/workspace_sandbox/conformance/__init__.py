"""The checks that every connector has to pass, written once: for ours on stand-ins and real parts,
and for those of other authors.

A pytest plugin of the sandbox distribution. A test module takes all checks and says where they run:

    from workspace_sandbox.conformance.checks import *
    from .places import PLACES          # {Place: (Case, …)}

`checks.py` the checks · `case.py` what a connector's case tells them · `plugin.py` hands out the
trials · `trial.py` one wish for one thing · `watch.py` secrets and JSON, looked at in every check ·
`tally.py` what is counted at the end.
"""
