"""The language of the person who reads a page: what `pairing.words` needs to say its sentences in it."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from pairing.words.catalogue import Language

READER = Language(gettext, ngettext)
