"""The pages of administrators: registrations, people, removals, systems. Their routes and their one
role: `urls`.
"""
