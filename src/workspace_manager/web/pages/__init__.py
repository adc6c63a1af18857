"""The pages people see. A view asks the stories for what happens and `records` for what is; it
holds no rule and makes no call.

Who may open which address stands in `urls`, one line per address; nothing else decides about roles.
"""
