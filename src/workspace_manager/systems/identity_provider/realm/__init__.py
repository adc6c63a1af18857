"""The wanted realm, and the difference of a realm from it (docs/explanation/realm.md).

Pure: documents of the realm go in, facts and changed documents come out. Declarations of others
stay: their attributes, redirect addresses, mappers and unknown members are kept, and a client only
gains what is wanted.
"""
