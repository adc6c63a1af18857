"""A second system of somebody else, a forge: its accounts are known by `sub` and come by
themselves when a person first signs in there.
"""
