"""What a person's way to the drive and to the ontology editor may be, and what can go wrong on it:
tables whose rows are tests.
"""
