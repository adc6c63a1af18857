"""A system that is no folder of ours: a distribution of its own, installed by its entry point, with
no edit in the manager.
"""
