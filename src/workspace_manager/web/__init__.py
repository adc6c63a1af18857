"""The doors for browsers and programs: pages, REST, sign-in. No rules and no calls to systems;
stories are called, rows are read.
"""
