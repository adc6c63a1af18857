"""The pages. A view asks stories for actions and `records` for state; it holds no rule and makes no
call.

`urls` has one line per address with its role; nothing else decides about roles.
"""
