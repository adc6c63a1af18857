"""The wanted realm, and the difference of a realm from it (docs/explanation/realm.md).

Everything is pure: it takes documents of the realm and returns facts or changed documents. Other
declarations stay: other attributes, redirect addresses, mappers and unknown members are kept, and a
client only gains what is wanted.
"""
