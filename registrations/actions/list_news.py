"""After a new rating list: compare registrations by themselves, and take data of the list where somebody says so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as _

from registrations.models import HistoryLine, ListNews, Registration, SectionRegistration
from registrations.queries.list_news import sections_with_other_lists
from registrations.queries.problems import problems_of_lists, problems_of_many
from registrations.queries.rating_lists import ListedPerson, Lists
from registrations.refusals import REGISTRATION_NOT_UNDONE
from registrations.states import LIVE, RegistrationState
from tournaments.actions.entry_lists import import_entries
from tournaments.actions.ledger import steps_taken
from tournaments.actions.roster import entry_summary
from tournaments.entry_data import EntryData, ImportRow
from tournaments.errors import DomainError, Refusal
from tournaments.models import Event, Participant, RatingSource
from tournaments.models.journal import write_each
from tournaments.queries.rating_lists import alike

from .edits import forget_values, is_edited
from .event_lock import CLOCK, EventLock, RegistrationActor, event_lock
from .queue import live_ones
from .state_changes import entry_of
from .transitions import ManyMoved

# Refusals
LIST_SAYS_THE_SAME = Refusal(
    "list_says_the_same", _("The rating list has no other rating or title for %(name)s.")
)


BATCH = 250
"""Registrations of one transaction: results and decisions wait for one batch at a time."""
PASSES = 3
LISTED = ("rating", "rating_source", "rating_list", "title")
OF_FIDE = (RatingSource.STANDARD, RatingSource.RAPID, RatingSource.BLITZ)


def lists_are_new() -> bool:
    """Return whether a section has other rating lists in force than those its registrations were compared with."""
    return next(sections_with_other_lists(), None) is not None


def compare_with_lists() -> int:
    """Compare the registrations with the lists in force, where these are other ones. Return in how many sections.

    No data is changed and nobody is moved. What there is to look at is found again, and what the list says otherwise is
    noted. Lists are read before the lock; behind it, only what was found is written, one batch at a time. A
    registration that was changed meanwhile is read again.
    """
    count = 0
    for limits, lists in sections_with_other_lists():
        rows = Registration.objects.filter(section=limits.section_id, state__in=LIVE)
        left = list(rows.order_by("pk").values_list("pk", flat=True))
        for _pass in range(PASSES):
            left = [
                key
                for start in range(0, len(left), BATCH)
                for key in _compare(limits, left[start : start + BATCH])
            ]
        with event_lock(limits.section.event_id):
            SectionRegistration.objects.filter(pk=limits.pk).update(lists_checked=lists)
        count += 1
    return count


def _compare(limits: SectionRegistration, keys: Sequence[int]) -> list[int]:
    """Compare a batch. Return those that somebody has changed meanwhile."""
    event = limits.section.event
    ones = _read(event, keys)
    lists = Lists(limits.section, [one.fide_id for one in ones if one.fide_id is not None])
    found = {one.pk: (one.revision, problems_of_lists(one, lists)) for one in ones}
    people = {one.pk: lists.under(one.fide_id) for one in ones if one.fide_id is not None and lists.there}
    with event_lock(event.pk) as lock:
        now = _read(event, list(found))
        same = [
            one
            for one in now
            if one.revision == found[one.pk][0] and one.section_id == limits.section_id and one.is_live
        ]
        _write_problems(lock, same, {key: problems for key, (_revision, problems) in found.items()})
        _write_news(same, people)
        _name_lists(same, people)
    return [one.pk for one in now if one not in same and one.section_id == limits.section_id and one.is_live]


def _read(event: Event, keys: Sequence[int]) -> list[Registration]:
    rows = Registration.objects.filter(event=event, pk__in=keys).select_related("section", "news")
    found = list(rows.order_by("pk"))
    for one in found:
        one.event = one.section.event = event
    return found


def _write_problems(lock: EventLock, ones: Iterable[Registration], problems: dict[int, str]) -> None:
    changed = [one for one in ones if one.problems != problems[one.pk]]
    for one in changed:
        one.problems = problems[one.pk]
        lock.step(one, HistoryLine.Kind.EDIT, CLOCK, fields=["problems"])
    write_each(Registration, changed, ["problems", "revision"])


def _write_news(ones: Sequence[Registration], people: dict[int, ListedPerson | None]) -> None:
    """Note what the list says otherwise. What somebody has left as it is stays so while the list has the same data."""
    gone, new = [], []
    for one in ones:
        former: ListNews | None = getattr(one, "news", None)
        news = _news(one, people.get(one.pk))
        if former is not None and (news is None or not former.same_as(news)):
            gone.append(former.pk)
        if news is not None and (former is None or not former.same_as(news)):
            new.append(news)
        if former is not None and news is not None and former.same_as(news) and former.label != news.label:
            ListNews.objects.filter(pk=former.pk).update(label=news.label, source=news.source)
    ListNews.objects.filter(pk__in=gone).delete()
    ListNews.objects.bulk_create(new)


def _news(one: Registration, listed: ListedPerson | None) -> ListNews | None:
    """Return what the list says otherwise. A list with another person under the ID says nothing about this one."""
    if listed is None or one.fide_id is None or not alike(listed.name, one.name):
        return None
    rating = listed.rating or 0
    if not rating and not one.rating_list:
        rating = one.rating or 0  # typed, and no list has rated the player yet
    title = listed.title if listed.title != one.title else ""
    if rating == (one.rating or 0) and not title:
        return None
    return ListNews(
        registration=one,
        section_id=one.section_id,
        fide_id=one.fide_id,
        rating=rating,
        title=title,
        source=listed.rating_source,
        label=listed.rating_list,
    )


def _name_lists(ones: Iterable[Registration], people: dict[int, ListedPerson | None]) -> None:
    """Note the list as the origin of a typed rating that it has too. An accepted player has it from the section."""
    named = []
    for one in ones:
        listed = people.get(one.pk)
        typed = one.rating and not one.rating_source and one.participant_id is None
        if typed and listed is not None and listed.rating == one.rating and alike(listed.name, one.name):
            one.rating_source, one.rating_list = listed.rating_source, listed.rating_list
            named.append(one)
    write_each(Registration, named, ["rating_source", "rating_list"])


def take_listed(*, event_id: int, wanted: Sequence[tuple[int, int]], by: RegistrationActor) -> ManyMoved:
    """Give registrations the rating and title of the list in force. The entries of accepted players get them too.

    wanted: keys and the revisions that were seen. One about which the list says nothing else stays. The fee stays: it
    is charged again by hand. The number of queries does not grow with the registrations of a batch.
    """
    outcome = ManyMoved()
    for start in range(0, len(wanted), BATCH):
        with event_lock(event_id) as lock:
            of_section: defaultdict[int, list[Registration]] = defaultdict(list)
            for one in live_ones(lock, wanted[start : start + BATCH], outcome):
                if one.news_now is None:
                    outcome.left.append((one, LIST_SAYS_THE_SAME.error(name=one.name)))
                else:
                    of_section[one.section_id].append(one)
            for section_id, ones in of_section.items():
                _take(lock, section_id, ones, by, outcome)
    return outcome


def _take(
    lock: EventLock, section_id: int, ones: list[Registration], by: RegistrationActor, outcome: ManyMoved
) -> None:
    source = next((one.news.label for one in ones if one.news.label), "")
    players = {one: _new(one) for one in ones if one.participant_id is not None}
    refused = _write_into_entries(section_id, players, source, by)
    outcome.left += [(one, refused[one.pk]) for one in ones if one.pk in refused]
    taken = [one for one in ones if one.pk not in refused]
    before = {one.pk: {"values": _former(one, _new(one)), "news": _kept(one.news)} for one in taken}
    for one in taken:
        for name, value in _new(one).items():
            setattr(one, name, value)
    _write_taken(lock, section_id, taken, before, by)
    ListNews.objects.filter(registration__in=taken).delete()
    outcome.moved += taken


def undo_taken(
    lock: EventLock, undone: Mapping[Registration, HistoryLine], by: RegistrationActor
) -> dict[int, DomainError]:
    """Give registrations and their entries back what they had before. Return who stays, and why.

    One stays if an arbiter has changed the same in the entry since.
    """
    of_section: defaultdict[int, list[Registration]] = defaultdict(list)
    for one in undone:
        of_section[one.section_id].append(one)
    refused: dict[int, DomainError] = {}
    for section_id, ones in of_section.items():
        limits, before = lock.limits(section_id), {}
        gave = {one: entry_of(one, limits) for one in ones if one.participant_id is not None}
        for one in ones:
            values = undone[one].before["values"]
            before[one.pk] = {"values": _former(one, values)}
            for name, value in values.items():
                setattr(one, name, value)
        players = {one: {name: getattr(entry_of(one, limits), name) for name in LISTED} for one in gave}
        stand = Participant.objects.select_related("player").in_bulk([one.participant_id for one in players])
        errors: dict[int, DomainError] = {}
        for one, new in list(players.items()):
            if is_edited(stand[one.participant_id or 0], gave[one], new):
                errors[one.pk] = REGISTRATION_NOT_UNDONE.error(name=one.name)
                del players[one]
        errors |= _write_into_entries(section_id, players, "", by)
        back = [one for one in ones if one.pk not in errors]
        _write_taken(lock, section_id, back, before, by)
        kept = {one: undone[one].before["news"] for one in back if "news" in undone[one].before}
        newer = set(ListNews.objects.filter(registration__in=kept).values_list("registration", flat=True))
        ListNews.objects.bulk_create(
            [ListNews(registration=one, **news) for one, news in kept.items() if one.pk not in newer]
        )
        refused |= errors
    return refused


def _former(one: Registration, new: Mapping[str, Any]) -> dict[str, Any]:
    return {name: getattr(one, name) for name, value in new.items() if value != getattr(one, name)}


def _kept(news: ListNews) -> dict[str, Any]:
    names = ("section_id", "fide_id", "rating", "title", "source", "label")
    return {name: getattr(news, name) for name in names}


def _write_taken(
    lock: EventLock,
    section_id: int,
    taken: list[Registration],
    before: Mapping[int, dict[str, Any]],
    by: RegistrationActor,
) -> None:
    for one, problems in zip(taken, problems_of_many(taken, lock.form, lock.limits(section_id)), strict=True):
        one.problems = problems
        if one.state == RegistrationState.WAITING:
            lock.freed.add(section_id)  # who fits only now may get a place
    forget_values(taken)
    for one in taken:
        fields = sorted(before[one.pk]["values"])
        lock.step(one, HistoryLine.Kind.EDIT, by, fields=fields, before=before[one.pk])
    write_each(Registration, taken, [*LISTED, "problems", "revision"])


def _new(one: Registration) -> dict[str, Any]:
    """Return the values that the list gives. A player whom it does not rate keeps the rating."""
    news = one.news
    values: dict[str, Any] = {"title": news.title or one.title}
    if news.rating:
        values |= {"rating": news.rating, "rating_source": news.source, "rating_list": news.label}
    return values


def _write_into_entries(
    section_id: int, new: Mapping[Registration, dict[str, Any]], source: str, by: RegistrationActor
) -> dict[int, DomainError]:
    """Write rating and title into the entries, in one step of the log. Return who stays, and why: all or nobody."""
    entries = Participant.objects.select_related("player").in_bulk([one.participant_id for one in new])
    rows = [
        ImportRow(entry=_entry(entries[one.participant_id or 0], values), participant_id=one.participant_id)
        for one, values in new.items()
    ]
    if not rows:
        return {}
    try:
        with transaction.atomic(), steps_taken():
            import_entries(
                actor=by.actor,
                section_id=section_id,
                rows=rows,
                source=source,
                proceed=True,
                asked=True,
                both=by.both,
            )
    except DomainError as error:
        return dict.fromkeys([one.pk for one in new], error)
    return {}


def _entry(entry: Participant, new: dict[str, Any]) -> EntryData:
    former = entry_summary(entry)
    kept = {name: former[name] for name in EntryData.__dataclass_fields__ if name in former}
    if new.get("rating_source") in OF_FIDE:
        new = {**new, "official_rating": new["rating"]}
    elif new.get("rating_source") == RatingSource.NATIONAL:
        new = {**new, "national_rating": new["rating"]}
    return EntryData(**{**kept, **new})


def leave_listed(*, event_id: int, wanted: Sequence[tuple[int, int]], by: RegistrationActor) -> ManyMoved:
    """Leave registrations as they are, although the list has other data. Other data of a later list ask again."""
    outcome = ManyMoved()
    with event_lock(event_id) as lock:
        for one in live_ones(lock, wanted, outcome):
            if one.news_now is None:
                outcome.left.append((one, LIST_SAYS_THE_SAME.error(name=one.name)))
            else:
                outcome.moved.append(one)
        ListNews.objects.filter(registration__in=outcome.moved).update(left=True)
        _note_left(lock, outcome.moved, by, before={"left": False})
    return outcome


def undo_left(
    lock: EventLock, steps: Mapping[Registration, HistoryLine], by: RegistrationActor
) -> dict[int, DomainError]:
    """Ask about the data of the list again, or no longer. Nobody is refused."""
    for left in (False, True):
        ones = [one for one, step in steps.items() if step.before["left"] is left]
        ListNews.objects.filter(registration__in=ones).update(left=left)
        _note_left(lock, ones, by, before={"left": not left})
    return {}


def _note_left(
    lock: EventLock, ones: Sequence[Registration], by: RegistrationActor, before: dict[str, bool]
) -> None:
    for one in ones:
        lock.step(one, HistoryLine.Kind.EDIT, by, fields=["news"], before=before)
    write_each(Registration, ones, ["revision"])
