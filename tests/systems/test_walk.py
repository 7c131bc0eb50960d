"""Every registered system, and the one of the tests, pairs, explains, checks and says everything.

No line names a system. A new system is in this walk as soon as it is registered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evenboard_engine import (
    RESULTS,
    SYSTEMS,
    Colour,
    NoLegalPairing,
    RoundPairing,
    Tournament,
    offer,
    pair_round,
)
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.cli.command import main
from evenboard_engine.comparing import compare, published, variants_of
from evenboard_engine.findings import HandMadeDraft, Published
from evenboard_engine.generating.tournament import Generated, GeneratorSettings, generate
from evenboard_engine.systems.options import ChoiceOption
from evenboard_engine.systems.system import PairingSystem, why_apart
from evenboard_engine.tests.random_rulings import with_rulings
from evenboard_engine.tests.systems.toy import LADDER, ladder_known
from evenboard_engine.trf import (
    read_report,
    readings,
    report_before,
    rules_of,
    system_named_in,
    to_tournament,
    write_report,
)
from evenboard_engine.words.comparing import failure_text
from evenboard_engine.words.registry import SYSTEM_WORDS, words_of
from evenboard_engine.words.systems import value_words
from tournaments.models import Section

CODES = [*SYSTEMS, LADDER.code]
SETTINGS = {"players": 11, "rounds": 5, "half_byes": 20, "forfeits": 20, "accelerated": False}


@pytest.fixture(params=CODES)
def system(request: pytest.FixtureRequest) -> Iterator[PairingSystem]:
    with ladder_known():
        yield SYSTEMS[request.param]


def generated(system: PairingSystem, seed: str = "walk") -> Generated:
    return generate(seed, GeneratorSettings(system=system.code, options=system.checked({}), **SETTINGS))


def rounds_of(system: PairingSystem) -> Iterator[tuple[Tournament, RoundPairing]]:
    """Yield each round of a generated tournament as it was paired, or offered."""
    report = generated(system).report
    for number in range(1, report.rounds_paired + 1):
        tournament = to_tournament(report, round=number, system=system.code)
        try:
            pairing = pair_round(tournament, trace=True)
        except NoLegalPairing as error:
            stopped = error
        else:
            yield tournament, pairing
            continue
        assert stopped.code == "cannot_finish"
        assert words_of(system.code).explanation(str, tournament=tournament).reasons(stopped.reasons)
        assert offer(tournament) is not None


def test_every_round_is_explained(system: PairingSystem) -> None:
    seen = 0
    for tournament, pairing in rounds_of(system):
        here = {key for pair in pairing.pairs for key in (pair.white, pair.black)} | {pairing.bye} - {None}
        explainer = system.explain(tournament, pairing)
        words = words_of(system.code).explanation(str, tournament=tournament)
        assert pairing.trace == explainer.trace
        statements = [*words.bye(explainer.trace.bye), *words.round(explainer.trace)]
        statements += [
            statement for paragraph in words.lead_of_round(explainer.trace) for statement in paragraph
        ]
        for bracket in explainer.trace.brackets:
            statements += words.bracket(bracket)
            statements += [
                statement for paragraph in words.lead_of_bracket(bracket) for statement in paragraph
            ]
        for player in sorted(key for key in here if key is not None):
            explanation = explainer.player(player)
            pair, bracket_of = explainer.pair_of(player), explainer.bracket_of(player)
            assert explanation.answers
            statements += [
                statement for answer in explanation.answers for statement in words.reasons(answer.reasons)
            ]
            statements.append(
                words.reason(explainer.why_not_bye(player)) if player != pairing.bye else statements[0]
            )
            others = [
                explainer.why_not(player, other)
                for other in sorted(here - {player, explanation.opponent}, key=str)
            ]
            statements += words.reasons(others)
            assert (pair is None, bracket_of is None) == (player == pairing.bye,) * 2
            if pair is not None:
                colour = Colour.WHITE if pair.white == player else Colour.BLACK
                assert all(
                    words.question(answer, player, explanation.opponent, colour)
                    for answer in explanation.answers
                )
                assert bracket_of is not None
                statements += [
                    one for part in words.lead_of_pair(explanation, bracket_of, pair) for one in part
                ]
        assert [statement for statement in statements if not statement.text or "%(" in statement.text] == []
        seen += 1
    assert seen


def test_who_does_not_meet_the_holder_of_the_bye_is_answered_alike_both_ways(system: PairingSystem) -> None:
    """A rematch is named first; if there is none, it says who has the bye, and why the other one does not have it."""
    met = 0
    for tournament, pairing in rounds_of(system):
        if pairing.bye is None:
            continue
        explainer = system.explain(tournament, pairing)
        words = words_of(system.code).explanation(str, tournament=tournament)
        opponents = {
            other
            for game in tournament.games
            for one, other in ((game.white, game.black), (game.black, game.white))
            if one == pairing.bye and RESULTS[game.result].played
        }
        for other in sorted(key for pair in pairing.pairs for key in (pair.white, pair.black)):
            answers = [words.reasons(why_apart(explainer, *two)) for two in _both_ways(pairing.bye, other)]
            assert answers[0] == answers[1]
            if not system.fixed_rounds and other in opponents:
                met += 1
                assert explainer.why_not(pairing.bye, other).code.endswith("met")
    assert met or system.fixed_rounds or system.code == LADDER.code


def _both_ways(one: int, other: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (one, other), (other, one)


def test_file_before_a_round_has_all_that_decides_its_pairs_and_no_names(system: PairingSystem) -> None:
    """With and without acceleration, with byes, forfeits, players who are absent, and pairs that must not meet.

    Before every second round the arbiter has decided points (299).
    """
    seen = 0
    for tournament, pairing in rounds_of(system):
        barred = frozenset({(1, 11)} if tournament.round == 1 and not system.fixed_rounds else ())
        before = replace(tournament, forbidden=barred)
        if ruled := not tournament.round % 2:
            before = with_rulings(before, tournament.round)
        report = read_report(write_report(report_before(before, "Evenboard")))
        assert {player.name for player in report.players} == {f"Player {n:04}" for n in range(1, 12)}
        again = to_tournament(report, system=system.code)
        assert (again.round, again.forbidden) == (before.round, barred)
        assert set(again.rulings) == set(before.rulings)
        assert pair_round(again) == replace(pair_round(before), trace=None)
        assert barred or ruled or pair_round(again) == replace(pairing, trace=None)
        seen += 1
    assert seen


def test_sentences_before_the_pairs_do_not_give_them_away(system: PairingSystem) -> None:
    """They are steps of the bracket, in its order. In round 1, where nobody floats, they stop before a pair is made."""
    for tournament, pairing in rounds_of(system):
        words = words_of(system.code).explanation(str, tournament=tournament)
        for bracket in system.explain(tournament, pairing).trace.brackets:
            steps = words.bracket(bracket)
            position = words.position(bracket)
            assert position == [step for step in steps if step in position]
            assert tournament.round > 1 or len(position) < len(steps) or not steps


def test_round_of_the_rules_has_no_difference_and_another_one_has(system: PairingSystem) -> None:
    for tournament, pairing in rounds_of(system):
        pairs = tuple((pair.white, pair.black) for pair in pairing.pairs)
        byes = () if pairing.bye is None else (pairing.bye,)
        assert system.compare(tournament, Published(tournament.round, pairs, byes), pairing) == ()
        (white, black), (other, last), *rest = pairs
        changed = Published(tournament.round, ((white, other), (black, last), *rest), byes)
        differences = system.compare(tournament, changed, pairing)
        assert differences
        sentences = [words_of(system.code).difference(one) for one in differences]
        assert all(sentence.startswith(f"round {tournament.round}: ") for sentence in sentences)


def test_every_round_is_compared_with_the_other_systems(system: PairingSystem) -> None:
    """The compared round of a system is the one that it pairs itself."""
    for tournament, pairing in rounds_of(system):
        variants = variants_of(tournament)
        assert system.fixed_rounds or {one.code for one in SYSTEMS.values() if not one.fixed_rounds} == {
            variant.system for variant in variants
        }
        found = compare(tournament, published(pairing), variants)
        assert len(found.others) == max(0, len(variants) - 1)
        for other in found.others:
            asked = replace(tournament, system=other.variant.system, options=other.variant.options)
            if other.failure is not None:
                assert failure_text(other.failure, str)
                continue
            pairs = {(pair.white, pair.black) for pair in pair_round(asked).pairs}
            assert {
                (key, seat.opponent) for key, seat in other.seats.items() if seat.colour is Colour.WHITE
            } == pairs


def test_round_paired_by_hand_is_judged_in_words(system: PairingSystem) -> None:
    for tournament, pairing in rounds_of(system):
        (first, second) = pairing.pairs[:2]
        colours = system.colours(tournament, first.black, first.white)
        assert {colours.white, colours.black} == {first.white, first.black}
        swapped = HandMadeDraft(((first.white, second.white), (first.black, second.black)), pairing.bye)
        for concern in system.concerns(tournament, swapped):
            assert concern.code in words_of(system.code).concerns
            assert concern.players


def test_generated_tournaments_are_read_back_and_checked(system: PairingSystem, tmp_path: Path) -> None:
    for seed in ("one", "two"):
        data = write_report(generated(system, seed).report)
        report = read_report(data)
        assert system_named_in(report) == system.code
        assert rules_of(report, system=system.code) == readings(report, system.code) == system.checked({})
        assert {check.differences for check in check_rounds(report, system=system.code)} == {()}
        file = tmp_path / f"{seed}.trf"
        file.write_bytes(data)
        assert main([f"--{system.code}", str(file), "-c"]) == 0


def test_every_option_has_words_for_each_value_and_a_comment(system: PairingSystem) -> None:
    words = SYSTEM_WORDS[system.code]
    assert all((words.name, words.summary, words.audience, words.standing, words.rules))
    assert set(words.options) == {option.name for option in system.options}
    columns = {field.name for field in Section._meta.get_fields()}
    for option in system.options:
        mine = words.options[option.name]
        values = option.values if isinstance(option, ChoiceOption) else (option.default, *option.allowed[:1])
        allowed = [value for value in values if option.read(value) is not None]
        assert allowed
        assert all(value_words(option, mine, value) for value in allowed)
        assert mine.label
        assert mine.term
        assert option.name not in columns, "the log and the form could not tell them apart"
        for value in allowed:
            comments = system.comments({option.name: value})
            assert dict(filter(None, map(system.option_in, comments)))[option.name] == value


def test_no_two_systems_have_the_same_code_or_name_in_a_report() -> None:
    codes = [code for system in SYSTEMS.values() for code in {system.report_code, system.accelerated_code}]
    names = [system.report_name for system in SYSTEMS.values()]
    own = [code for code in codes if code and not code.startswith("CUSTOM_")]
    assert (sorted(set(own)), sorted(set(names))) == (sorted(own), sorted(names))
    assert all(system.report_code for system in SYSTEMS.values())
    assert "" not in names
