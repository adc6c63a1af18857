"""The things people own, and the connectors that remove their rows, so that the last step is no
special case.
"""
