"""Questions before each action, in each phase: the rows of docs/warnings.md, done with the answers that they need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import transaction

from tests.actions.refusals import tables
from tests.actions.warning_levels.known import ACTIONS, PHASES
from tests.factories import section_of
from tests.house.packages import SITE
from tests.shared_rows import keep_nothing
from tournaments.actions.ledger import Actor
from tournaments.errors import REFUSALS, DomainError
from tournaments.models import Section
from tournaments.questions import Answers, ask

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]  # who is asked is decided in Python


ROOT = Path(__file__).parents[2]
WARNINGS = ROOT / "docs" / "warnings.md"

ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))[:3]
    for line in WARNINGS.read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| Action"))
]

MOST = 3
"""Questions before one action."""
ASKED = {"1": 0, "2": 0, "3": 1, "4": 2}
"""How often each level asks; at level 5 no answer helps."""


def test_table_and_tests_have_the_same_actions() -> None:
    assert {name for name, _phase, _level in ROWS} == set(ACTIONS)
    assert {name for _action, name, _level in ROWS} == set(PHASES)


QUESTIONS = {
    "adjourned_to_confirm": "pair a round while a game before the last round is adjourned",
    "bye_to_confirm": "second half-point bye",
    "byes_to_confirm": "import a list with a second half-point bye",
    "fide_mode_to_confirm": "leave FIDE mode",
    "departure_to_confirm": "limits of byes, time control",
    "equals_to_confirm": "put players of one rating into another order",
    "missed_byes_to_confirm": "enter a late player with more half-point byes than the rules give",
    "numbers_to_confirm": "enter a player, numbers move",
    "tie_breaks_to_confirm": "change the tie-breaks",
    "two_sections_to_confirm": "enter a player of another section",
}
"""A row of the table for each question of the program."""
NO_QUESTIONS = {
    "lots_to_confirm": "the preview of numbers that were typed, which is a page",
    "decision_to_confirm": "a decision about a whole list of registrations, which is a page",
    "limits_to_confirm": "a move of a registration, which is not about entries of the section",
    "offers_to_confirm": "settings of registration, which are not about a section: see the passage on more places",
    "end_rehearsal_to_confirm": "the end of a rehearsal, which is an event of its own, with its report on a page",
    "nothing_to_confirm": "a refusal: there are no two results",
    "absent_to_confirm": "the count beside Close check-in, which is a page",
    "undo_to_confirm": "the preview of an undo, which is a page",
    "report_to_confirm": "the preview of a report file, for programs",
}


def test_each_question_of_the_program_is_in_the_table() -> None:
    files = [file for room in SITE for file in (ROOT / room).rglob("*.py")]
    asked = {
        code for file in files for code in re.findall(r'"([a-z_]+_to_confirm)"', file.read_text("utf-8"))
    }
    assert asked == QUESTIONS.keys() | NO_QUESTIONS.keys()
    assert {*QUESTIONS.values()} <= {name for name, _phase, _level in ROWS}


def _done(name: str, section: Section, actor: Actor, answers: Answers) -> list[str]:
    with transaction.atomic():
        return ACTIONS[name](section, actor, answers)


def _answers(name: str, section: Section, actor: Actor, about: str) -> Answers:
    """Return the answers to all questions of the action, of which none has done anything."""
    answers = Answers(about)
    while True:
        with transaction.atomic():
            try:
                _done(name, section, actor, answers)
            except DomainError as error:
                if not error.answer or len(answers.given) > MOST:
                    raise
                answers = Answers(about, answers.given | {error.answer})
            else:
                transaction.set_rollback(True)
                return answers


def _in_phase(when: str) -> Section:
    section = section_of(7, rounds=7, initial_colour="w")
    PHASES[when](section)
    return section


@contextmanager
def _undone(section: Section) -> Iterator[Section]:
    """Yield the section as it is in the database, and undo there what is done with it."""
    keep_nothing()
    with transaction.atomic():
        yield Section.objects.get(pk=section.pk)
        transaction.set_rollback(True)


@pytest.mark.parametrize("when", sorted({when for _name, when, _level in ROWS}))
def test_actions_are_asked_about_as_the_table_says(when: str, actor: Actor) -> None:
    """Each action of a phase is done in the same section, as it was when the phase began."""
    begun = _in_phase(when)
    for name, level in [(name, level) for name, phase, level in ROWS if phase == when]:
        with _undone(begun) as section:
            if level == "5":
                with pytest.raises(DomainError) as refused:
                    _answers(name, section, actor, "all that was sent")
                assert not refused.value.answer, name
            else:
                answers = _answers(name, section, actor, "all that was sent")
                assert len(answers.given) == ASKED[level], name
                warnings = _done(name, section, actor, answers)
                assert level == "3" or bool(warnings) == (level == "2"), name


@pytest.mark.parametrize("when", sorted({when for _name, when, level in ROWS if level in ("3", "4")}))
def test_yes_counts_for_nothing_but_what_was_asked(when: str, actor: Actor) -> None:
    begun = _in_phase(when)
    for name in [name for name, phase, level in ROWS if phase == when and level in ("3", "4")]:
        with _undone(begun) as section:
            answers = _answers(name, section, actor, "three half-point byes")
            before = tables()
            with pytest.raises(DomainError) as asked:
                _done(name, section, actor, Answers("four half-point byes", answers.given))
            assert asked.value.answer, name
            assert asked.value.answer not in answers.given, name
            assert tables() == before, name


def test_yes_counts_while_the_question_says_the_same() -> None:
    """41 players were to get new numbers; meanwhile it is 62."""
    answers = Answers("a rating")
    asked = REFUSALS["numbers_to_confirm"].error(section="Open", round=2, numbers=[[4, 5], [5, 4]])
    more = REFUSALS["numbers_to_confirm"].error(section="Open", round=2, numbers=[[4, 6], [5, 4], [6, 5]])
    yes = Answers("a rating", frozenset({answers.to(asked)}))
    ask(asked, yes)
    with pytest.raises(DomainError):
        ask(more, yes)
