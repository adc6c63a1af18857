"""The pages of administrators: registrations, people, removals, systems. `urls` has their routes
and their role.
"""
