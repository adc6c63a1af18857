"""Letters: what is written to people, its templates, its outbox and the mail server."""
