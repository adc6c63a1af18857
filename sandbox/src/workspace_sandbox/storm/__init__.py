"""A storm: people leave and others come in while every system answers badly; afterwards the
systems' own ledgers are asked.

`run` starts a demo and plays it, `settle` and `newcomers` are processes of their own, `api` is the
administrator at the REST API, `ledgers` counts. On stand-ins alone: it makes no call to anything
real.
"""
