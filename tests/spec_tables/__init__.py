"""A person's way to the drive and to the ontology editor, and what can go wrong on it: tables whose
rows are tests.
"""
