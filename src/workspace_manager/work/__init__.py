"""Projects, memberships, components and stacks: things that people make and share.

The connectors that delete their rows are here too, so that the last step of a removal is no special
case.
"""
