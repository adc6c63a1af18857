"""The ontology editor: WebProtégé with the project interface patched in, reached with a service account's key.

What can go wrong, all of it seen on a running server:

* creating a project is not idempotent: every repetition makes one more, and a creation whose caller gave up still happens;
* an unpatched server cannot delete projects or change members, and says so with 405 or with a 404 without a `Link` header;
* one 404 means "no such project", another "wrong address";
* any trouble is a page titled "Initialization Error", after 30 seconds when the database is away;
* nobody can ask who is a member of a project;
* names like `est` count as guests, and two names that sanitise alike become one account.
"""
