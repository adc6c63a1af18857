"""Code that every story needs and that has no subject of its own.

The clock and the hold, locks, long lists and how they are looked through, what wakes the worker,
refusals, and the connected systems as stories see them.
"""
