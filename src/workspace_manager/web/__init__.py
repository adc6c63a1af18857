"""The web interfaces: pages, REST API and sign-in. They hold no rules and call no systems; they
call stories and read rows.
"""
