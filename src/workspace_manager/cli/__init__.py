"""The command line: one file per command. Talks to people; asks stories to act, and never a system
itself.

Exit codes: 0 done, 1 something a person must look at, 2 wrong usage.
"""
