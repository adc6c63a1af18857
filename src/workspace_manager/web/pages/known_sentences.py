"""The English sentences that stories and settings write, listed so that they are collected for translation."""

from django.utils.translation import gettext_noop as known

SENTENCES: tuple[str, ...] = (
    known("Enter a name."),
)
