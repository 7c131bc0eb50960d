"""Permissions. The views check them; the actions check only what is possible, not who asks.

    tournaments.manage_site     site owners
    tournaments.create_event    site owners, and the logins that they chose (docs/decisions/0043)
    tournaments.create_login    site owners, and the logins that they chose
    tournaments.load_copy       those who may make events, and owners of an event
    tournaments.manage_lists    site owners, and the logins that they chose: the rating lists of the site
    tournaments.sign_up         people who are not logged in, if site owners opened registration
    tournaments.answer_invitation   the invited login; an invitation by link that no login has claimed: everybody
    tournaments.view_section    a public event: everybody; a private event or a hidden section: its staff
    tournaments.own_event       owners of the event: who may be owner, and whether the event is deleted
    tournaments.set_up_section  who may direct the section, and until round 1 is paired who manages the event
    tournaments.see_section  enter_results  note_presence  enter_players  run_section  direct_section
    tournaments.keep_copies  save_archive  use_desk  decide_registrations  manage_event  see_results  see_presence
    tournaments.see_registrations  see_people  name_people
                                what `tournaments.rights` gives each role

A role in one section counts there only. For an event it counts as a look at its public pages, and a chief arbiter
also opens the page People, for the own section (`tournaments.who_may_appoint`).

Superusers may do everything (Django's own rule). The object is an Event or a Section, for `answer_invitation` an
Invitation.
"""

from __future__ import annotations

from dataclasses import dataclass

import rules
from django.contrib.auth.models import AnonymousUser

from base.zones import today_in

from .models import Event, EventMakers, EventRole, Invitation, Section, SiteSettings, User
from .models.events import Boards, OwnBoards, joined_boards
from .rights import PEOPLE, RIGHTS, Right

Visitor = User | AnonymousUser


NONE: frozenset[Right] = frozenset()


@dataclass(frozen=True, slots=True)
class Held:
    """What a person may do. boards: those whose results the person enters, None for all."""

    rights: frozenset[Right] = NONE
    boards: OwnBoards = None


def rights_in(user: Visitor, subject: Event | Section) -> frozenset[Right]:
    """Return what the person may do in an event or a section. One query for a person who is logged in."""
    return held_in(user, subject).rights


def held_in(user: Visitor, subject: Event | Section) -> Held:
    """Return the rights of a person in an event or a section, and the own boards there. One query, as `rights_in`."""
    event = _event(subject)
    if not user.is_authenticated or not user.is_active or event.is_deleted:
        return Held()
    if user.is_superuser:
        return Held(frozenset(Right))
    section = subject.pk if isinstance(subject, Section) else None
    rows = EventRole.objects.filter(event_id=event.pk, user_id=user.pk)
    held: set[Right] = set()
    boards: list[Boards | None] = []
    today = today_in(event.time_zone)
    for row in rows.only("role", "section_id", "until", "first_board", "last_board"):
        if not row.counts_on(today):
            continue
        user.works = True
        if row.section_id in (None, section):
            held |= RIGHTS[row.role]
            if Right.RESULTS in RIGHTS[row.role]:
                boards.append(row.boards)
        elif section is None:
            held.add(Right.VIEW)
            held |= PEOPLE if Right.NAME in RIGHTS[row.role] else NONE
    ranges = [each for each in boards if each is not None]
    return Held(frozenset(held), joined_boards(ranges) if ranges and len(ranges) == len(boards) else None)


def own_sections(user: User, event: Event, right: Right | None = None) -> frozenset[int] | None:
    """Return the only sections of an event in which the person works, or has a right; None: in the whole event. One
    query.
    """
    if user.is_superuser:
        return None
    rows = EventRole.objects.filter(event_id=event.pk, user_id=user.pk).only("role", "section_id", "until")
    today = today_in(event.time_zone)
    counting = [row for row in rows if right in (None, *RIGHTS[row.role]) and row.counts_on(today)]
    held = {row.section_id for row in counting}
    return None if None in held else frozenset(section for section in held if section is not None)


def site_settings() -> SiteSettings:
    """Return what site owners chose, or the defaults. One query."""
    return SiteSettings.objects.first() or SiteSettings()


def _event(subject: Event | Section) -> Event:
    return subject.event if isinstance(subject, Section) else subject


@rules.predicate
def is_public(_user: Visitor, subject: Event | Section | None) -> bool:
    if isinstance(subject, Section) and subject.taken_away:
        return False
    return subject is not None and _event(subject).public


def _has(right: Right) -> rules.Predicate:
    def held(user: Visitor, subject: Event | Section | None) -> bool:
        return subject is not None and right in rights_in(user, subject)

    return rules.predicate(held)


@rules.predicate
def owns_event(user: Visitor, subject: Event | Section | None) -> bool:
    if subject is None or not user.is_authenticated or not user.is_active:
        return False
    return EventRole.objects.filter(event=_event(subject), user=user, role=EventRole.Role.OWNER).exists()


@rules.predicate
def sets_up(user: Visitor, subject: Event | Section | None) -> bool:
    """Return whether the person may change the settings of a section. One more query for an organiser."""
    if not isinstance(subject, Section):
        return False
    return may_set_up(rights_in(user, subject), subject)


def may_set_up(held: frozenset[Right], section: Section) -> bool:
    if Right.DIRECT in held:
        return True
    return Right.MANAGE in held and not section.played_rounds.exists()


def may_make_password_link(maker: User, person: User) -> bool:
    """Return whether `maker` may make a link with which `person` sets a new password.

    Whoever makes the link could use it. So a person who works on an event that the maker does not own, or who has a
    right on the site that the maker does not have, gets no link from this maker: otherwise an organiser could take over
    that login.
    """
    if maker.is_superuser:
        return True
    if person.is_superuser or person.is_staff:
        return False
    if not maker.owns_site and any(
        getattr(person, right) and not getattr(maker, right)
        for right in ("site_owner", "makes_events", "makes_logins", "keeps_lists")
    ):
        return False
    owned = EventRole.objects.filter(user=maker, role=EventRole.Role.OWNER).values("event")
    return not EventRole.objects.filter(user=person).exclude(event__in=owned).exists()


@rules.predicate
def owns_site(user: Visitor) -> bool:
    return user.is_authenticated and user.owns_site


@rules.predicate
def makes_events(user: Visitor) -> bool:
    """Return whether a login may make events. One query at most."""
    return user.is_authenticated and may_make_events(user, site_settings().events_by)


def may_make_events(user: User, events_by: str) -> bool:
    """Return whether a login may make events. events_by: what site owners chose."""
    chosen = events_by == EventMakers.EVERYBODY or (events_by == EventMakers.CHOSEN and user.makes_events)
    return user.owns_site or (user.is_active and chosen)


@rules.predicate
def makes_logins(user: Visitor) -> bool:
    return user.is_authenticated and user.is_active and user.makes_logins


@rules.predicate
def keeps_lists(user: Visitor) -> bool:
    return user.is_authenticated and user.is_active and user.keeps_lists


@rules.predicate
def owns_an_event(user: Visitor) -> bool:
    if not user.is_authenticated or not user.is_active:
        return False
    return EventRole.objects.filter(user=user, role=EventRole.Role.OWNER).exists()


@rules.predicate
def registration_is_open(user: Visitor) -> bool:
    return not user.is_authenticated and site_settings().open_registration


@rules.predicate
def is_invited(user: Visitor, subject: Invitation | None) -> bool:
    if not isinstance(subject, Invitation) or not user.is_authenticated or not user.is_active:
        return False
    return subject.is_for(user.pk)


rules.add_perm("tournaments.manage_site", owns_site)
rules.add_perm("tournaments.create_event", owns_site | makes_events)
rules.add_perm("tournaments.create_login", owns_site | makes_logins)
rules.add_perm("tournaments.load_copy", owns_site | makes_events | owns_an_event)
rules.add_perm("tournaments.manage_lists", owns_site | keeps_lists)
rules.add_perm("tournaments.sign_up", registration_is_open)
rules.add_perm("tournaments.answer_invitation", is_invited)
rules.add_perm("tournaments.view_section", is_public | _has(Right.VIEW))
rules.add_perm("tournaments.own_event", owns_event)
rules.add_perm("tournaments.set_up_section", sets_up)
for each in Right:
    if each is not Right.VIEW:
        rules.add_perm(each.permission, _has(each))
