"""The command line: one file per command. Commands call stories, and never a system.

Exit codes: 0 done, 1 something needs a person, 2 wrong usage.
"""
