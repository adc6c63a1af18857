"""People coming and going: registration, approval, sign-in, suspension, end dates, roles, and names
that may be given.
"""
