"""Write the texts of the program into the catalogues in locale/. The same sources give the same files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages

IGNORED = ("tests/*", "bench/*", ".venv/*", "var/*")
MADE = re.compile(rb'"POT-Creation-Date: [^"]*"\n')


class Command(makemessages.Command):
    """Django's command with the options of this project: no guesses, no dates, no old texts, a file for each text."""

    msgmerge_options = ["-q", "--backup=none", "--update", "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the catalogues of the languages in `locale`, of all languages with `all`."""
        options |= {"no_wrap": True, "add_location": "file", "no_obsolete": True}
        options["ignore_patterns"] = [*(options["ignore_patterns"] or []), *IGNORED]
        compiled, settings.LOCALE_PATHS = settings.LOCALE_PATHS, [Path.cwd() / "locale"]
        try:
            super().handle(*args, **options)
        finally:
            settings.LOCALE_PATHS = compiled

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Bring the catalogue of a language up to date."""
        super().write_po_file(potfile, locale)
        catalogue = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        catalogue.write_bytes(MADE.sub(b"", catalogue.read_bytes()))
