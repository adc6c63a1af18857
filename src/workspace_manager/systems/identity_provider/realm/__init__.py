"""What a realm needs for the workspace, and how far a realm is from it (docs/explanation/realm.md).

Pure: documents of the realm go in, facts and changed documents come out. Whatever others declared
stays: their attributes, redirect addresses, mappers and unknown members are carried over, and a
client is only ever brought *up to* what is wished.
"""
