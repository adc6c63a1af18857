"""Stand-ins of the seven systems: what our clients, our sign-in and the people of the demo call,
over real HTTP and SQL.
"""
