"""Tables only: what is remembered about people, their work, plans, settings, and what was done.

No calls to systems, no rules of the stories. The only logic here keeps a row honest by itself
(encryption, append-only audit).
"""
