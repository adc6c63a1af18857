"""The checks that every connector has to pass, written once and run for each of them, on its stand-in and on the real part.

`test_every_connector.py` the checks · `case.py` what a connector's case tells them · one file per system with its cases · `parts.py`
all places where cases run · `door*.py` what breaks calls to a real part · `watch.py` secrets and JSON, looked at in every check.
"""
