"""What every story needs: audit, clock, locks, who may see what, how people are written to."""
