"""Compile the translations: `locale/de/LC_MESSAGES/django.po`, which people edit, to the form that gettext reads.

Pure Python, because an arbiter's Windows laptop has no GNU gettext. The compiled files are in VAR_DIR, not in the
repository. `python -m server.catalogues` compiles what has changed; the server does it at each start, and so does
server/wsgi.py under another server.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.utils.translation.trans_real import translation

from config.languages import ENGLISH

SOURCES = "locale"
PROGRAM = "Evenboard"


def compile_catalogues() -> bool:
    """Compile each catalogue that has changed since the last time. Returns whether there was any."""
    stale = [
        file for file in sorted((settings.BASE_DIR / SOURCES).glob("*/LC_MESSAGES/*.po")) if _is_stale(file)
    ]
    for source in stale:
        _compile(source)
    return bool(stale)


def untranslated() -> list[str]:
    """Return the languages whose pages this process shows in English, because it has not read their catalogue.

    Our catalogues name the program in their head, and those of Django do not.
    """
    return [
        code
        for code, _name in settings.LANGUAGES
        if code != ENGLISH and PROGRAM not in translation(code).gettext("")
    ]


def _is_stale(source: Path) -> bool:
    target, stamp = _compiled(source), _stamp(source)
    return not (target.is_file() and stamp.is_file() and stamp.read_text(encoding="ascii") == _hash(source))


def _compile(source: Path) -> None:
    from polib import pofile  # slow to import, and rarely needed

    target = _compiled(source)
    target.parent.mkdir(parents=True, exist_ok=True)
    made = target.with_suffix(f".{os.getpid()}")
    pofile(str(source), encoding="utf-8").save_as_mofile(str(made))
    made.replace(target)  # another process may read it now
    _stamp(source).write_text(_hash(source), encoding="ascii")


def _compiled(source: Path) -> Path:
    place = source.relative_to(settings.BASE_DIR / SOURCES)
    return Path(settings.LOCALE_PATHS[0]) / place.with_suffix(".mo")


def _stamp(source: Path) -> Path:
    return _compiled(source).with_suffix(".source")


def _hash(source: Path) -> str:
    return sha256(source.read_bytes()).hexdigest()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    compile_catalogues()
