"""The sample template of a knowledge stack: its web part, the image it runs from, and the template
as data.
"""
