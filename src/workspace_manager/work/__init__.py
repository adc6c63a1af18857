"""What people make and share: projects, memberships, components and stacks.

The connectors that remove their rows are here too, so that the last step is no special case.
"""
