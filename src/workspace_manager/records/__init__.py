"""Tables of people, their work, plans, settings and history.

Nothing here calls a system or decides on behalf of a story. The only logic keeps a row valid by
itself (encryption, append-only audit).
"""
