"""The rules of a section as its players read them, on the public page and on paper, written from the settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER
from base.text import isolated
from evenboard_engine import Colour, system_named
from evenboard_engine.tiebreaks import OWN, TieBreak
from evenboard_engine.words.prizes import METHODS
from evenboard_engine.words.registry import words_of
from evenboard_engine.words.systems import value_words
from evenboard_engine.words.tiebreaks import tie_break_meaning, tie_break_name
from tournaments.models import RoundStart, Section
from tournaments.queries.sections import deviations_of, older_edition_of
from web.context import section_context
from web.views.public.public_page import Visit, visitor_page
from web.words.prizes import limits_of, money, plan_words
from web.words.systems import article_in, rules_address, rules_line

# The rules of a section as its players read them: on the public page and on paper, written from the settings.


@dataclass(frozen=True, slots=True)
class RulesPart:
    """A part of the rules. items: a list below the sentences, each with its name and what it means. link: an address
    of the web, with the words for it. starts: when rounds begin. ordered: the order of the items counts.
    """

    title: str
    sentences: tuple[str, ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    link: tuple[str, str] | None = None
    starts: tuple[tuple[int, RoundStart], ...] = ()
    ordered: bool = False


def rules_parts(
    section: Section, departures: Iterable[tuple[int, frozenset[str]]] = (), began_under: str = ""
) -> list[RulesPart]:
    """Return all parts in the order of the page. departures: as `departures_of` yields them. No query."""
    parts = [
        _pairings(section, began_under),
        _rounds(section),
        _colours(section),
        _points(section),
        *([] if section.fixed_rounds else [_byes(section)]),
        _late_entries(section),
        _tie_breaks(section),
        _ratings(section),
        *_prizes(section),
        *_own(section),
        _changes(departures),
    ]
    return [part for part in parts if part.sentences or part.items]


def _pairings(section: Section, began_under: str) -> RulesPart:
    system, words, found = system_named(section.system), words_of(section.system), section.all_options
    sentences = [
        _("The rounds are paired by this system: %(rules)s.") % {"rules": rules_line(section)},
        _(words.summary),
    ]
    if began_under:
        sentences.append(
            _(
                "The tournament began under the edition of %(older)s of these rules. All rounds here are checked by "
                "the edition of %(edition)s."
            )
            % {"older": began_under, "edition": found["edition"]}
        )
    if section.acceleration == Section.Acceleration.LISTED:
        sentences.append(
            _(
                "Accelerated pairings: in some rounds some players have virtual points. "
                "They count for the pairings only."
            )
        )
    elif section.acceleration:
        sentences.append(
            _(
                "Baku Acceleration: in the first rounds the upper half of the players has virtual points%(article)s. "
                "They count for the pairings only."
            )
            % {"article": article_in(section.system, "C.04.7")}
        )
    if section.chess960:
        sentences.append(
            _(
                "The games are Chess960. A start position is drawn for each round, and it is the same on all boards."
            )
        )
    if section.is_explained:
        sentences.append(_("Once a round is published, everybody can read why it was paired in this way."))
    if section.fide_mode_left_in_round is not None:
        sentences.append(_("The section does not follow all rules of FIDE."))
    elif section.in_fide_mode and system.regulation.startswith("C."):  # a chapter of the handbook in force
        sentences.append(_("The section follows the rules of FIDE."))
    items = tuple(
        (
            _(words.options[option.name].label),
            value_words(option, words.options[option.name], value, READER) or value,
        )
        for option in system.choices
        if (value := found[option.name]) and not words.options[option.name].by_day
    )
    address = rules_address(section)
    link = (address, _("Read the rules of the pairing system")) if address else None
    return RulesPart(_("Pairings"), tuple(sentences), items, link)


def _rounds(section: Section) -> RulesPart:
    if section.fixed_rounds:
        count = _("The number of players decides the number of rounds.")
    else:
        count = ngettext("%(count)s round is played.", "%(count)s rounds are played.", section.rounds) % {
            "count": section.rounds
        }
    pace = section.time_control_in_force
    sentences = [count, *([_("Time control: %(pace)s.") % {"pace": isolated(pace)}] if pace else [])]
    starts = ((number, section.start_of(number)) for number in range(1, section.rounds + 1))
    known = tuple((number, start) for number, start in starts if start)
    return RulesPart(_("Rounds and time control"), tuple(sentences), starts=known)


def _colours(section: Section) -> RulesPart:
    if section.fixed_rounds:
        drawn = _("The pairing numbers are drawn by lot before round 1. They decide all rounds and colours.")
        return RulesPart(_("Colours"), (drawn,))
    if not section.initial_colour:
        found = _("The lot for the initial-colour is drawn before round 1 is paired.")
    elif section.initial_colour == Colour.WHITE:
        found = _("The initial-colour of this section is White.")
    else:
        found = _("The initial-colour of this section is Black.")
    about = _("A lot decides the initial-colour. In round 1 it decides who plays White on each board.")
    return RulesPart(_("Colours"), (about, found))


def _points(section: Section) -> RulesPart:
    points = READER.points
    sentences = [
        _("A win is worth %(win)s, a draw %(draw)s and a loss %(loss)s.")
        % {
            "win": points(section.win_points),
            "draw": points(section.draw_points),
            "loss": points(section.loss_points),
        }
    ]
    if not section.fixed_rounds:
        sentences.append(
            _(
                "If the number of players is odd, one player of each round gets the pairing-allocated bye. "
                "It is worth %(points)s."
            )
            % {"points": points(section.bye_points)}
        )
    else:
        sentences.append(
            _("If the number of players is odd, one player is free in each round and gets no points for it.")
        )
    return RulesPart(_("Points"), tuple(sentences))


def _byes(section: Section) -> RulesPart:
    sentences = [
        _("A player can ask for a bye before the round is paired. A half-point bye is worth %(points)s.")
        % {"points": READER.points(section.draw_points)}
    ]
    if section.half_bye_limit == 0:
        sentences = [_("Half-point byes are not given.")]
    elif section.half_bye_limit is not None:
        sentences.append(
            ngettext(
                "A player gets at most %(count)s half-point bye.",
                "A player gets at most %(count)s half-point byes.",
                section.half_bye_limit,
            )
            % {"count": section.half_bye_limit}
        )
    if section.last_bye_round is not None and section.half_bye_limit != 0:
        sentences.append(
            _("The last round in which a bye is worth points is round %(round)s.")
            % {"round": section.last_bye_round}
            if section.last_bye_round
            else _("No bye that a player asks for is worth points.")
        )
    sentences.append(_("A player who is not paired and has no other bye gets no points for the round."))
    return RulesPart(_("Requested byes"), tuple(sentences))


def _late_entries(section: Section) -> RulesPart:
    if section.fixed_rounds:
        text = _("Nobody can enter once round 1 is paired.")
    else:
        text = _(
            "A player who enters after round 1 is paired plays from the next round on%(article)s. The missed rounds "
            "are worth no points, unless the arbiter gives byes for them."
        ) % {"article": article_in(section.system, "C.04.2, 2.4")}
    return RulesPart(_("Late entries"), (text,))


def _tie_breaks(section: Section) -> RulesPart:
    rules = section.tie_break_list
    if not rules:
        return RulesPart(
            _("Places"), (_("Players with the same points share the place: there are no tie-breaks."),)
        )
    first = _(
        "Points decide the places. Players with the same points are compared by the first of these tie-breaks, those "
        "who are still level by the next one%(article)s:"
    ) % {"article": article_in(section.system, "C.07")}
    items = tuple((tie_break_name(rule, READER), _meaning(rule)) for rule in rules)
    return RulesPart(_("Places"), (first,), items, ordered=True)


def _meaning(rule: TieBreak) -> str:
    if rule.name or not rule.text.upper().startswith(OWN):
        return tie_break_meaning(rule, READER)
    return _("The organiser announces its values.")


def _ratings(section: Section) -> RulesPart:
    method, federation = section.rating_method, section.rating_federation or section.event.federation
    methods = Section.RatingMethod
    text = {
        methods.FIDE.value: _("The FIDE rating counts."),
        methods.NRO.value: _("The national rating counts."),
        methods.FIDON.value: _("The FIDE rating counts. Players without one have their national rating."),
        methods.NIDOF.value: _("The national rating counts. Players without one have their FIDE rating."),
        methods.HBFN.value: _(
            "The highest rating of a player counts: the FIDE rating or the national rating."
        ),
        methods.LBFN.value: _("The lower of the FIDE rating and the national rating counts."),
    }.get(method, _("Each player has the rating that is in the list of players."))
    sentences = [text]
    if federation and method not in (methods.FIDE, methods.OTHER):
        sentences.append(_("Federation of the national ratings: %(code)s.") % {"code": federation})
    if section.minimum_rating:
        sentences.append(
            _("A player without any rating enters with %(rating)s.") % {"rating": section.minimum_rating}
        )
    orders = Section.EqualsBy
    equals = {
        orders.NAME.value: _("by the alphabet"),
        orders.YOUNGER.value: _("younger players first"),
        orders.OLDER.value: _("older players first"),
        orders.ENTRY.value: _("by the order of entry"),
    }
    if not section.fixed_rounds:
        sentences.append(
            _("Order of players with the same rating and title: %(order)s.")
            % {"order": equals[section.equals_by]}
        )
    return RulesPart(_("Ratings"), tuple(sentences))


def _prizes(section: Section) -> Iterator[RulesPart]:
    plan = section.prize_plan
    if section.prizes_public and plan.categories:
        items = tuple(
            (
                isolated(category.name),
                _("%(prizes)s (%(about)s)")
                % {
                    "prizes": READER.listed(
                        [money(amount, plan.currency) for amount in category.prizes], "comma"
                    ),
                    "about": READER.listed([_(METHODS[category.method]), *limits_of(category)], "comma"),
                },
            )
            for category in plan.categories
        )
        yield RulesPart(_("Prizes"), tuple(plan_words(plan)), items)


def _own(section: Section) -> Iterator[RulesPart]:
    if section.rules_text:
        yield RulesPart(_("From the organiser"), tuple(section.rules_text.splitlines()))


def _changes(departures: Iterable[tuple[int, frozenset[str]]]) -> RulesPart:
    """Name the parts that changed after round 1 was published; how they are now stands in the parts themselves."""
    parts = {
        _("Rounds and time control"): {"rounds", "time_control"},
        _("Pairings"): {"acceleration"},
        _("Points"): {"win_points", "draw_points", "loss_points", "bye_points"},
        _("Requested byes"): {"half_bye_limit", "last_bye_round"},
        _("Places"): {"tie_breaks", "unrated_left_out", "period_counted"},
    }
    items = tuple(
        (
            _("After round %(number)s") % {"number": number},
            READER.listed([title for title, names in parts.items() if names & changed], "comma"),
        )
        for number, changed in departures
    )
    about = (
        _("These parts of the rules changed during the tournament. This page has the rules that count now."),
    )
    return RulesPart(_("Changes"), about if items else (), items)


# The rules of a section for its players, written from the settings.


@visitor_page()
def rules(request: HttpRequest, visit: Visit) -> HttpResponse:
    context: dict[str, Any] = section_context(request, visit.section, "rules")
    context["parts"] = rules_parts(
        visit.section, deviations_of(visit.section), older_edition_of(visit.section)
    )
    return render(request, "public/rules.html", context)
