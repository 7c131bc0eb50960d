"""Titles of actions, and the sentences of their rows in the log, from the declarations of the actions.

First the values that the log keeps, as people write them: pairs, byes, entries, results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER, date_format
from base.text import isolated
from evenboard_engine import ByeKind, Colour, Result
from tournaments.declarations import ACTIONS, SITE_ACTIONS
from tournaments.declarations.declaration import Action, Form, Row, Sentence, SentencePart, value_at
from tournaments.models import EventMakers, EventRole, Incident, Participant, RatingSource, Round, Section
from tournaments.models.entries import Sex
from tournaments.player_fields import FIELDS
from web.words.next_step_checks import notice_word
from web.words.presence import settled_sentences
from web.words.standings import boards_text
from web.words.systems import option_term, option_value, system_name
from web.words.values import bye_words, colour_word, points_text, result_sign

# Say the values that the log keeps as people write them: pairs, byes, entries, results.

LONGEST_LIST = 8
LONGEST_VALUE = 200
NAMES = {
    **{field.name: field.in_sentence for field in FIELDS if field.logged},
    "rounds": gettext_lazy("rounds"),
    "win_points": gettext_lazy("win"),
    "draw_points": gettext_lazy("draw"),
    "loss_points": gettext_lazy("loss"),
    "bye_points": gettext_lazy("bye"),
    "system": gettext_lazy("pairing system"),
    "acceleration": gettext_lazy("acceleration"),
    "half_bye_limit": gettext_lazy("half-point byes per player"),
    "last_bye_round": gettext_lazy("last round for byes with points"),
    "explained_to": gettext_lazy("“Why this pairing?” is shown to"),
    "players_confirm": gettext_lazy("players confirm results on their phones"),
    "chess960": gettext_lazy("Chess960"),
    "time_control": gettext_lazy("time control"),
    "sections_apart": gettext_lazy("sections play at different times"),
    "rules_text": gettext_lazy("more rules for the players"),
    "hall_rooms": gettext_lazy("hall map"),
    "prizes_public": gettext_lazy("the rules show the prizes"),
    "rating_method": gettext_lazy("tournament rating"),
    "rating_federation": gettext_lazy("federation of the national ratings"),
    "equals_by": gettext_lazy("order of equal players"),
    "longer_than_30_days": gettext_lazy("longer than 30 days"),
    "period_starts": gettext_lazy("first rounds of later rating periods"),
    "period_counted": gettext_lazy("rating in tie-breaks"),
    "numbers": gettext_lazy("pairing numbers"),
    "schedule": gettext_lazy("start of rounds"),
}
"""Values that the log shows under its sentence, in this order."""
OTHER_NAMES = {
    "wrong_rounds": gettext_lazy("rounds that the rules would pair differently"),
    "added": gettext_lazy("added"),
    "apart": gettext_lazy("players kept apart by a rule"),
    "strict": gettext_lazy("kept apart"),
    "at": gettext_lazy("marked at"),
    "boards": gettext_lazy("boards"),
    "bye": gettext_lazy("bye"),
    "by": gettext_lazy("marked by"),
    "by_hand": gettext_lazy("pairs by hand"),
    "by_lot": gettext_lazy("drawn by lot"),
    "byes": gettext_lazy("byes"),
    "categories": gettext_lazy("categories of prizes"),
    "check_in_round": gettext_lazy("check-in open for round"),
    "copied": gettext_lazy("copy made"),
    "offer": gettext_lazy("compared with the offer"),
    "nothing": gettext_lazy("the rules give no round"),
    "offered": gettext_lazy("pairs offered"),
    "origin": gettext_lazy("origin of the copy"),
    "log_head": gettext_lazy("seal of the log in the copy"),
    "countdown_to": gettext_lazy("countdown to"),
    "departures": gettext_lazy("rounds that differ from the rules"),
    "engine": gettext_lazy("pairs by the rules"),
    "entries": gettext_lazy("entries"),
    "event": gettext_lazy("event"),
    "fide_mode": gettext_lazy("FIDE mode"),
    "forbidden_pairs": gettext_lazy("forbidden pairs"),
    "fixed_board": gettext_lazy("fixed board"),
    "step_free": gettext_lazy("step-free"),
    "fund": gettext_lazy("prize fund"),
    "half_bye_allowed": gettext_lazy("right to half-point byes"),
    "hall_message": gettext_lazy("message"),
    "here": gettext_lazy("here"),
    "incident": gettext_lazy("incident"),
    "initial_colour": gettext_lazy("initial-colour"),
    "instead_of": gettext_lazy("instead of the mark by"),
    "kind": gettext_lazy("bye"),
    "last_round": gettext_lazy("last round"),
    "late": gettext_lazy("mark that came late"),
    "left_after": gettext_lazy("left after round"),
    "made": gettext_lazy("marked at"),
    "manual": gettext_lazy("paired by hand"),
    "minutes": gettext_lazy("minutes"),
    "left_out": gettext_lazy("players not kept apart"),
    "missing": gettext_lazy("not checked in"),
    "older_edition": gettext_lazy("edition at the beginning"),
    "over": gettext_lazy("ended, no slip yet"),
    "pairs": gettext_lazy("pairs"),
    "players": gettext_lazy("players"),
    "pool": gettext_lazy("unpaired"),
    "pressed": gettext_lazy("pressed on a phone"),
    "published": gettext_lazy("published"),
    "reason": gettext_lazy("reason"),
    "result": gettext_lazy("result"),
    "role": gettext_lazy("role"),
    "settings_of": gettext_lazy("settings of"),
    "also_in": gettext_lazy("also entered in"),
    "rounds_checked": gettext_lazy("rounds checked"),
    "rounds_paired": gettext_lazy("rounds paired"),
    "same": gettext_lazy("same pairing"),
    "second_result": gettext_lazy("verified as"),
    "stands": gettext_lazy("mark that counts"),
    "start_position": gettext_lazy("start position"),
    "state": gettext_lazy("state"),
    "status": gettext_lazy("status"),
    "taken_away": gettext_lazy("hidden"),
    "tpn": gettext_lazy("pairing number"),
    "rating_lists": gettext_lazy("rating lists"),
    "lists_compared": gettext_lazy("entries are compared with new lists"),
    "minimum_rating": gettext_lazy("minimum rating"),
    "rating_from": gettext_lazy("rating from"),
    "rating_to": gettext_lazy("rating to"),
    "tie_breaks": gettext_lazy("tie-breaks"),
    "unrated_left_out": gettext_lazy("tie-breaks leave out players without an official rating"),
}
_PLACES = {name: place for place, name in enumerate({**NAMES, **OTHER_NAMES})}
LABELS: dict[str, Mapping[Any, Any]] = {
    "apart": dict(Section.ApartKind.choices),
    "acceleration": dict(Section.Acceleration.choices),
    "rating_method": dict(Section.RatingMethod.choices),
    "equals_by": dict(Section.EqualsBy.choices),
    "period_counted": dict(Section.PeriodCounted.choices),
    "explained_to": dict(Section.ExplainedTo.choices),
    "players_confirm": dict(Section.PlayersConfirm.choices),
    "rating_source": dict(RatingSource.choices),
    "role": dict(EventRole.Role.choices),
    "sex": dict(Sex.choices),
    "strict": {True: gettext_lazy("always"), False: gettext_lazy("as far as possible")},
    "state": dict(Round.State.choices),
    "status": {**dict(Participant.Status.choices), **dict(Section.Status.choices)},
}

STRANGE = (TypeError, ValueError, LookupError, AttributeError, OverflowError)
"""Raised for a value of another shape, of an older version or in a copy from elsewhere. Pages show it as plain text."""
People = Mapping[int, str]
"""Names of entries, by their keys."""


def name_of(key: str) -> str:
    return str(NAMES.get(key) or OTHER_NAMES.get(key) or option_term(key) or key.replace("_", " "))


def in_order(names: Iterable[str]) -> list[str]:
    """Return names of values in the order in which they are shown: PostgreSQL does not keep the order of JSON keys."""
    return sorted(names, key=lambda name: (_place(name), name))


def _place(name: str) -> int:
    """Return the place of a value. Options follow their pairing system."""
    return _PLACES.get(name, _PLACES["system"] if option_term(name) else len(_PLACES))


def is_setting(name: str) -> bool:
    """Return whether the log shows the value under its sentence."""
    return name in NAMES or option_term(name) is not None


def value_text(
    name: str, value: Any, *, people: People | None = None, of: Mapping[str, Any] | None = None
) -> str:
    """Return a value of the log in words, "" for nothing. of: the values that the log keeps with this one."""
    if value is None or value in ("", [], {}):
        return ""
    with suppress(*STRANGE):
        if name in LABELS and value in LABELS[name]:
            return str(LABELS[name][value])
        if shown := option_value(name, value):
            return shown
        if name.endswith("_points"):
            return points_text(value)
        if writer := TEXTS.get(name):
            return writer(value, people or {}, of or {})
    return _value_plain(value)


def few(items: Iterable[str], *, most: int = LONGEST_LIST) -> str:
    """Return the items as a list; of many, the first ones and how many more there are."""
    return READER.listed(items, "comma", longest=most)


def numbers(moved: Sequence[Sequence[int]]) -> str:
    """Say changes of pairing numbers, given as [[old, new], ...]."""
    return few(f"{old} → {new}" for old, new in moved)


def pairs(found: Sequence[Sequence[int]]) -> str:
    """Say pairs, given as pairing numbers [[white, black], ...]."""
    return few(f"{white}–{black}" for white, black in found)


def schedule(starts: Mapping[str, str]) -> str:
    """Say when rounds begin, given as {round: start}."""
    rounds = (
        _("round %(round)s: %(start)s") % {"round": number, "start": start.replace("T", " ") or "–"}
        for number, start in starts.items()
    )
    return READER.listed(rounds, "comma")


def _paired(value: Mapping[str, Any], _people: People, _of: Mapping[str, Any]) -> str:
    parts = [pairs(value["pairs"])]
    if value.get("bye"):
        parts.append(_("bye %(number)s") % {"number": value["bye"]})
    return READER.listed(filter(None, parts), "semicolon")


def _byes(value: Any, people: People, of: Mapping[str, Any]) -> str:
    """Say byes: of numbers by hand or after absences, of rounds for one player, or of entries that were imported."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        value, of = list(value.items()), {"withdrawn": ()}
    if any(not isinstance(kind, str) for _key, kind in value):
        return few(
            _("%(name)s in round %(round)s") % {"name": people.get(key, "?"), "round": number}
            for key, number in value
        )
    groups: dict[str, list[str]] = {}
    for key, kind in value:
        groups.setdefault(kind, []).append(str(key))
    written = []
    for kind, keys in groups.items():
        about = {"bye": bye_words(kind), "numbers": few(keys)}
        if "withdrawn" in of:
            written.append(_("%(bye)s: %(numbers)s") % about)
        else:
            words = ngettext("%(bye)s in round %(numbers)s", "%(bye)s in rounds %(numbers)s", len(keys))
            written.append(words % about)
    return READER.listed(written, "semicolon")


def _value_bye(value: int | str, _people: People, of: Mapping[str, Any]) -> str:
    """Say a bye: the pairing number of its player, its kind, or whether the rules, or the offer, give the same bye."""
    if isinstance(value, bool):
        if of.get("nothing"):
            return _("the rules give none")
        if of.get("offer"):
            return _("same as in the offer") if value else _("different from the offer")
        return _("same as by the rules") if value else _("different from the rules")
    return bye_words(value) if isinstance(value, str) else str(value)


def _boards(value: Sequence[Any], _people: People, _of: Mapping[str, Any]) -> str:
    if all(isinstance(board, int) for board in value):
        return few(map(str, value))
    return few(f"{board}: {white}–{black}" for board, white, black in value)


def _added(value: Sequence[Sequence[Any]], _people: People, _of: Mapping[str, Any]) -> str:
    return _split(f"{tpn or ''} {isolated(str(name))} {rating}".strip() for _key, tpn, name, rating in value)


def _entries(value: Sequence[Sequence[Any]], people: People, _of: Mapping[str, Any]) -> str:
    return _split(f"{people.get(key, '?')}: {_fields(values)}" for key, values in value)


def _split(items: Iterable[str]) -> str:
    """Return items that have commas in them."""
    return READER.listed(items, "semicolon", longest=LONGEST_LIST)


def _fields(values: Mapping[str, Any]) -> str:
    written = [f"{name_of(name)} {value_text(name, values[name]) or '–'}" for name in in_order(values)]
    return READER.listed(written, "comma")


def _departures(value: Sequence[Mapping[str, Any]], _people: People, _of: Mapping[str, Any]) -> str:
    return few(str(each["round"]) for each in value)


def _forfeited(value: Sequence[Sequence[int]], _people: People, _of: Mapping[str, Any]) -> str:
    """Return the games, given as [[round, board], ...]."""
    return few(
        _("round %(round)s board %(board)s") % {"round": number, "board": board} for number, board in value
    )


def moment(value: str) -> str:
    """Return the day and the time of a moment, in the zone of the page."""
    return date_format(localtime(datetime.fromisoformat(value)), "j M H:i:s")


def _when(value: str, _people: People, _of: Mapping[str, Any]) -> str:
    return moment(value)


def _value_plain(value: Any) -> str:
    """Return any value without the signs of a data format."""
    if isinstance(value, bool):
        written = _("yes") if value else _("no")
    elif isinstance(value, Mapping):
        written = _fields(value)
    elif isinstance(value, list):
        written = few(_between(each) if isinstance(each, list) else _value_plain(each) for each in value)
    else:
        return isolated(_shortened(str(value)))
    return _shortened(written)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]} …"


ValueText = Callable[[Any, People, Mapping[str, Any]], str]
TEXTS: dict[str, ValueText] = {
    "added": _added,
    "adjourned": lambda value, _people, _of: boards_text(value, most=LONGEST_LIST),
    "at": _when,
    "boards": _boards,
    "bye": _value_bye,
    "by_hand": _paired,
    "byes": _byes,
    "copied": _when,
    "countdown_to": _when,
    "departures": _departures,
    "engine": _paired,
    "offered": _paired,
    "entries": _entries,
    "forfeited": _forfeited,
    "incident": lambda value, _people, _of: str(Incident.Kind(value).label),
    "initial_colour": lambda value, _people, _of: colour_word(Colour(value)),
    "kind": lambda value, _people, _of: bye_words(ByeKind(value)),
    "made": _when,
    "numbers": lambda value, _people, _of: numbers(value),
    "pairs": lambda value, _people, _of: pairs(value),
    "players": lambda value, _people, of: few(map(str, value)) if "apart" in of else _between(value),
    "rating_result": lambda value, _people, _of: result_sign(Result(value)),
    "result": lambda value, _people, _of: result_sign(Result(value)),
    "schedule": lambda value, _people, _of: schedule(value),
    "second_result": lambda value, _people, _of: result_sign(Result(value)),
    "system": lambda value, _people, _of: system_name(value),
}


def _between(value: Any) -> str:
    return str(value) if isinstance(value, int) else "–".join(isolated(str(each)) for each in value)


# Titles of actions, and the sentences of their rows in the log, from the declarations of the actions.
#
# The words are in `tournaments.declarations`. Here the values of a row are written as people write them.


def title_of(action: str) -> str:
    """Return the title of an action; its name if it has no declaration, as in a copy from elsewhere."""
    return str(ACTIONS[action].title) if action in ACTIONS else _log_sentences_plain(action)


def sentence_of(row: Row) -> str:
    """Return the sentence of a row in the log of a section or of an event.

    It is the name of the action if it has no declaration, or if its values have another shape: the log of a copy from
    elsewhere may hold anything.
    """
    return _sentence(ACTIONS.get(row.action), row)


def site_sentence_of(row: Row) -> str:
    """Return the same for a row in the log of the site."""
    return _sentence(SITE_ACTIONS.get(row.action), row)


def _sentence(action: Action | None, row: Row) -> str:
    if action is not None:
        with suppress(*STRANGE):
            return _fill(action.sentence, row)
    return _log_sentences_plain(row.action).capitalize()


def _log_sentences_plain(name: str) -> str:
    return name.replace("_", " ")


def _fill(sentence: Sentence, row: Row) -> str:
    text = sentence.text_of(row)
    return str(text.words % {name: _value(part, row) for name, part in text.parts.items()})


def _value(part: SentencePart | Sentence, row: Row) -> str | int:
    if isinstance(part, Sentence):
        return _fill(part, row)
    return FORMS[part.form](*(value_at(row, path) for path in part.paths))


def _text(value: Any) -> str:
    return "" if value is None else isolated(str(value))


def _count(value: Any) -> int:
    return len(value) if isinstance(value, list | tuple) else int(value or 0)


def _game(subject: str) -> str:
    return " – ".join(map(isolated, subject.split(" - ")))


def _result(value: Any) -> str:
    # a list, because the log of a copy may hold a mapping, and no set can look that up
    return result_sign(Result(value)) if value in list(Result) else ""


def _points(tenths: Any) -> str:
    return READER.points(abs(tenths)) if isinstance(tenths, int) else _text(tenths)


def _colour(value: Any) -> str:
    return colour_word(Colour(value)) if value else ""


def _log_sentences_bye(kind: Any) -> str:
    return bye_words(kind) if kind in list(ByeKind) else _("bye")


def _clock(value: str | None) -> str:
    return date_format(localtime(datetime.fromisoformat(value)), "H:i") if value else ""


def _lines(values: Mapping[str, Any]) -> str:
    return READER.listed(
        (READER.listed(str(text).splitlines(), "comma") for text in values.values()), "semicolon"
    )


def _role(given: Any) -> str:
    """Return one role with its limits, or several."""
    if not isinstance(given, Mapping):
        return _role_name(given)
    role = given.get("role", "")
    if isinstance(role, list):
        return READER.listed(map(_role_name, role), "comma")
    limits = list(map(isolated, given.get("sections") or ()))
    if given.get("own_boards"):
        limits.append(_("boards %(boards)s") % {"boards": given["own_boards"]})
    if given.get("until"):
        limits.append(_("until %(day)s") % {"day": _day(given["until"])})
    if not limits:
        return _role_name(role)
    return _("%(role)s (%(limits)s)") % {"role": _role_name(role), "limits": READER.listed(limits, "comma")}


def _role_name(role: Any) -> str:
    return str(EventRole.Role(role).label) if role in EventRole.Role.values else _text(role)


def _day(text: str) -> str:
    return date_format(date.fromisoformat(text), "j M Y")


def _absences(
    byes: Sequence[tuple[int | None, str]] | None, withdrawn: Sequence[int | None] | None, subject: str
) -> str:
    byes, withdrawn, names = byes or (), withdrawn or (), list(map(isolated, subject.split("; ")))
    if len(names) < len(byes) + len(withdrawn):  # the log cuts a long subject, perhaps inside the last name
        names.pop()
    return settled_sentences(byes, withdrawn, names)


GIVEN = {
    "site_owner": gettext_lazy("became site owner"),
    "makes_events": gettext_lazy("may make events"),
    "makes_logins": gettext_lazy("may make logins"),
    "keeps_lists": gettext_lazy("may keep the rating lists"),
}
TAKEN = {
    "site_owner": gettext_lazy("is no longer site owner"),
    "makes_events": gettext_lazy("may no longer make events"),
    "makes_logins": gettext_lazy("may no longer make logins"),
    "keeps_lists": gettext_lazy("may no longer keep the rating lists"),
}


def _rights(changed: Mapping[str, bool]) -> str:
    return READER.listed(
        ((GIVEN if given else TAKEN)[name] for name, given in sorted(changed.items())), "comma"
    )


def _site_settings(changed: Mapping[str, Any]) -> str:
    return READER.listed((_site_setting(name, value) for name, value in sorted(changed.items())), "semicolon")


def _site_setting(name: str, value: Any) -> str:
    if name == "events_by":
        return _("Events are made by %(who)s") % {"who": EventMakers(value).label}
    return _("Open registration switched on") if value else _("Open registration switched off")


FORMS: Mapping[Form, Callable[..., str | int]] = {
    Form.TEXT: _text,
    Form.COUNT: _count,
    Form.GAME: _game,
    Form.RESULT: _result,
    Form.POINTS: _points,
    Form.COLOUR: _colour,
    Form.BYE: _log_sentences_bye,
    Form.NUMBERS: lambda moved: numbers(moved or ()),
    Form.ROUNDS: lambda rounds: READER.listed(rounds or (), "comma"),
    Form.BOARDS: lambda boards: READER.listed(
        (f"{board}: {white}–{black}" for board, white, black in boards), "comma"
    ),
    Form.FILE: lambda subject: subject or _("a list"),
    Form.LINES: _lines,
    Form.CLOCK: _clock,
    Form.MOMENT: moment,
    Form.PERSON: lambda name: isolated(name) if name else _("somebody"),
    Form.ROLE: _role,
    Form.ABSENCES: _absences,
    Form.RIGHTS: _rights,
    Form.SITE_SETTINGS: _site_settings,
    Form.NOTICE: notice_word,
    Form.SENTENCE: sentence_of,
}
