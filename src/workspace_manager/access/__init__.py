"""Rights, sessions and API tokens, and what the identity provider says of somebody.

`policy` what owners and members may · `permissions` what an administrator lets a person do besides
· `administrators` what guards their role.
"""
