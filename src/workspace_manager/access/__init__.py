"""Access: who may do what, sessions and tokens, and what the identity provider says of somebody."""
