"""What the systems hold, compared with the records in both directions; and what can be done about
each difference: repair it, or take over what was there before.
"""
