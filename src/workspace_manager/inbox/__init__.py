"""The inbox: things that wait for a person, read from current state, so that a finished thing
leaves the list by itself.
"""
