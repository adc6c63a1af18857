"""The web part of the sample stack: it signs people in and writes down what they note, with a row,
a triple and a file.

It runs from an image in which there is nothing but Python and a driver for the SQL server, so it
imports nothing else. Everything it knows it is told by its environment.
"""
