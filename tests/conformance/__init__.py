"""Our connectors, held to the checks of `workspace_sandbox.conformance`: one file per system with
its cases.

`parts.py` all places where cases run · `door*.py` what breaks calls to a real part.
"""
