"""The words of pairing systems in the language of the page. A page never names a system itself."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from base.reader import READER
from evenboard_engine import SYSTEMS, system_named
from evenboard_engine.words.registry import SYSTEM_WORDS, words_of
from evenboard_engine.words.systems import OptionWords, value_words
from manual.book import book
from manual.templatetags.manual import address_of
from tournaments.models import Section

SWISS_RULES = ("GHR", "General Handling Rules")
"""Begin the articles that FIDE has for Swiss tournaments only (C.04.2)."""


def system_name(code: str) -> str:
    return _(words_of(code).name)


def about_system(code: str) -> list[str]:
    """Return what a pairing system is, whom it suits, and its edition and standing, for those who choose one."""
    words = words_of(code)
    return [_(text) for text in (words.summary, words.audience, words.standing) if text]


def system_names() -> list[str]:
    """Return the names of all pairing systems."""
    return [system_name(code) for code in SYSTEMS]


def only_system_line() -> str:
    """Return the name and the chapter of the only pairing system; "" if there are several."""
    if len(SYSTEMS) > 1:
        return ""
    (code,) = SYSTEMS
    return _name_and_rules(code, system_named(code).regulation)


def rules_line(section: Section) -> str:
    """Return the system and its rules: as on paper, or the chapter with the values that the first day could decide."""
    words = words_of(section.system)
    found = section.all_options
    values = [_(option.values[found[name]]) for name, option in words.options.items() if option.by_day]
    if not values:
        return rules_on_paper(section)
    rules = _name_and_rules(section.system, system_named(section.system).regulation)
    return f"{rules} ({READER.listed(values, 'comma')})"


def rules_address(section: Section) -> str:
    """Return where the rules of the pairing system can be read and printed, "" if the program does not know.

    That is the handbook of FIDE. A system that is not there has a chapter in the manual, with its code as the name.
    """
    if address := system_named(section.system).handbook(section.all_options):
        return address
    anchor = f"chapter-{section.system}"
    return address_of(anchor) if anchor in book().chapter_of else ""


def rules_on_paper(section: Section) -> str:
    """Return the system and the rules that paired a section, as a printed sheet names them."""
    rules = words_of(section.system).rules
    return _name_and_rules(section.system, rules and _(rules) % section.all_options)


def numbers_line(section: Section) -> str:
    """Return the sentence about the articles in the margin of an explanation."""
    return _(words_of(section.system).numbers) % section.all_options


def aro_list_sentences(section: Section, most: int | None) -> list[str]:
    """Say which rules the list of AROs helps to check. most: upfloats that a player may have; None for no limit."""
    return [READER.text_of(sentence, {"number": most or 0}) for sentence in words_of(section.system).aro_list]


def article_in(system: str, number: str) -> str:
    """Return an article of FIDE's rules in brackets, after a space; "" where it does not apply to the pairing system.

    system: its code, or "" for none.
    """
    if not system:
        return ""
    rules = system_named(system)
    applies = rules.of_fide and not (rules.fixed_rounds and number.startswith(SWISS_RULES))
    return f" ({number})" if applies else ""


def option_term(name: str) -> str | None:
    """Return the words for an option within a sentence; None if no system has this option."""
    return next((_(words.term) for words in _options(name)), None)


def option_value(name: str, value: object) -> str | None:
    """Return the words for a value of an option; None if no system has this value."""
    if not isinstance(value, str):
        return None
    found = (
        value_words(option, SYSTEM_WORDS[code].options[name], value, READER)
        for code, system in SYSTEMS.items()
        for option in system.options
        if option.name == name
    )
    return next((text for text in found if text is not None), None)


def _name_and_rules(code: str, rules: str) -> str:
    """Return the name of a system, and its rules unless they have the same name."""
    name = system_name(code)
    return name if rules == name else _("%(system)s, %(rules)s") % {"system": name, "rules": rules}


def _options(name: str) -> Iterator[OptionWords]:
    return (words.options[name] for words in SYSTEM_WORDS.values() if name in words.options)
