"""People coming and going: asking, deciding, signing in, suspending, roles, tokens, and names that
may be given.
"""
