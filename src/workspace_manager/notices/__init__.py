"""Notices: programs are told by signed webhooks, people by letters about what waits for them.

It reads what the rooms below write down and say is waiting; none of them knows that anybody is
told. See docs/explanation/notices.md.
"""
