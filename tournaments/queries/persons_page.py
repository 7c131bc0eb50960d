"""The page of a person across events: who consented, what the page shows, and the link by which a player consents.

Nothing here joins players of two events by number or name: the page reads rows of `JoinedEntry` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.crypto import constant_time_compare, salted_hmac

from evenboard_engine import Colour
from tournaments.declarations.entries import RENEW_PERSONS_LINK
from tournaments.models import (
    ActionLog,
    Bye,
    Event,
    FinalPlace,
    Game,
    JoinedEntry,
    Participant,
    Player,
    Round,
    Section,
)
from tournaments.models.entries import search_form
from tournaments.snapshot import rulings_of

from .field import load_field
from .player_card import performance_in
from .player_rounds import PlayerRound, player_rounds_of, points_of, round_of_bye, round_of_game, with_rulings
from .standings import standings_of

NUMBER, LINK = "tournaments.persons_page.number", "tournaments.persons_page.link"
DIGITS = 40
"""Hexadecimal digits of the proof of a link: 160 bits."""
MOST = 100
"""Entries on a page."""


def _secrets() -> tuple[str | bytes, ...]:
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


# Who is the same person in two events.


def keys_of(player: Player) -> list[str]:
    """Return the key of the FIDE ID, or else of the number in the federation; empty without a number. The first key is
    made with the present secret of the site, the others with former ones.
    """
    if player.fide_id is not None:
        number = f"FIDE:{player.fide_id}"
    elif player.national_id and player.federation:
        number = f"{player.federation}:{player.national_id}"
    else:
        return []
    return [
        salted_hmac(NUMBER, number, secret=secret, algorithm="sha256").hexdigest() for secret in _secrets()
    ]


def stands(row: JoinedEntry) -> bool:
    """Return whether the player still has the number and the name with which the person consented. No query if the row
    has its player.
    """
    return row.name == row.player.name and row.key in keys_of(row.player)


def standing_row(player: Player) -> JoinedEntry | None:
    """Return the row of a player that counts, None without one. No query if `joined` was read with the player."""
    row: JoinedEntry | None = getattr(player, "joined", None)
    return row if row is not None and stands(row) else None


def joined_with(player: Player) -> list[JoinedEntry]:
    """Return the rows of other events that count and are joined under the number of a player. One query."""
    found = JoinedEntry.objects.filter(key__in=keys_of(player)).exclude(player=player).exclude(token="")
    return [row for row in found.select_related("player").order_by("pk") if stands(row)]


def contradictions(player: Player, others: Iterable[JoinedEntry]) -> list[str]:
    """Return in which facts two persons seem to have one number: "surname", "sex", "birth_date"."""
    found = set()
    for other in (row.player for row in others):
        if _surname(player).isdisjoint(_surname(other)):
            found.add("surname")
        if player.sex and other.sex and player.sex != other.sex:
            found.add("sex")
        if player.birth_date and other.birth_date and player.birth_date[:4] != other.birth_date[:4]:
            found.add("birth_date")
    return [name for name in ("surname", "sex", "birth_date") if name in found]


def _surname(player: Player) -> set[str]:
    return set(search_form(player.report_name.partition(",")[0]).split())


# The link by which a player consents, without a registration: an arbiter gives it to the player.


def consent_link(player: Player) -> str:
    """Return the secret part of the link. Another name or number makes it void, and so does a new link. One query."""
    return f"{player.pk}-{_proof(player, settings.SECRET_KEY, _renewed(player))}"


def player_of_link(event: Event, link: str) -> Player | None:
    """Return the player of the event whose link this is, or None. Two queries."""
    key, _dash, proof = link.partition("-")
    if not (key.isascii() and key.isdigit() and len(key) < 19):
        return None
    player = Player.objects.select_related("event", "joined").filter(event=event, pk=int(key)).first()
    if player is None:
        return None
    renewed = _renewed(player)
    valid = any(constant_time_compare(proof, _proof(player, secret, renewed)) for secret in _secrets())
    return player if valid else None


def _renewed(player: Player) -> int:
    """Return how often the player has got a new link: the log says it."""
    rows = ActionLog.objects.filter(event=player.event_id, action=RENEW_PERSONS_LINK.name)
    return rows.filter(after__player=player.pk).count()


def _proof(player: Player, secret: str | bytes, renewed: int) -> str:
    signed = repr((player.pk, player.event_id, player.name, player.fide_id, player.national_id, renewed))
    return salted_hmac(LINK, signed, secret=secret, algorithm="sha256").hexdigest()[:DIGITS]


# What the page shows.


@dataclass(frozen=True, slots=True)
class JoinedSection:
    """A section in which the person plays. turns: of published rounds, each with the entry of the opponent.

    final: None while the section is not over. points: None if only a table of the whole section says them.
    """

    entry: Participant
    turns: Sequence[tuple[PlayerRound, Participant | None]]
    points: int | None
    final: FinalPlace | None


def persons_page(token: str) -> list[JoinedSection]:
    """Return the newest sections on a page, as visitors may see them; empty without such a page. Three queries.

    A section is left out while its event is not listed or the section is hidden, and the player while under initials or
    expelled. A row that does not count any more is left out too.
    """
    latest = Round.objects.filter(section=OuterRef("section")).exclude(state=Round.State.DRAFT)
    found = (
        Participant.objects.filter(player__joined__token=token, player__by_initials=False)
        .filter(section__event__listed=True, section__taken_away=False)
        .exclude(status=Participant.Status.EXPELLED)
        .select_related("section__event", "player__joined", "final")
        .annotate(latest=Subquery(latest.order_by("-number").values("number")[:1]))
        .order_by("-section__event__start", "-section__event", "section")
    )
    entries = [entry for entry in found[:MOST] if token and stands(entry.player.joined)]
    turns = _turns({entry.pk: entry for entry in entries}) if entries else {}
    return [_section(entry, turns[entry.pk]) for entry in entries]


def page_of_entry(entry: Participant) -> str:
    """Return the token of the page that shows this entry, "" without one. No query with `joined` and the event."""
    row, section = standing_row(entry.player), entry.section
    hidden = entry.player.by_initials or entry.status == Participant.Status.EXPELLED or section.taken_away
    return row.token if row is not None and section.event.listed and not hidden else ""


def _section(
    entry: Participant, turns: Mapping[int, tuple[PlayerRound, Participant | None]]
) -> JoinedSection:
    section, rulings = entry.section, rulings_of(entry)
    numbers = range(1, (getattr(entry, "latest", None) or 0) + 1)
    absent = {number: PlayerRound(number, gained=section.point_system.zero_bye) for number in numbers}
    found = [turns.get(number, (absent[number], None)) for number in numbers]
    own = [turn for turn, _opponent in found]
    ruled = with_rulings(own, rulings) if rulings else own
    final = getattr(entry, "final", None)
    final = final if final is not None and final.revision == section.revision else None
    running = None if section.fixed_rounds else points_of(own, rulings)
    return JoinedSection(
        entry=entry,
        turns=[(turn, opponent) for turn, (_own, opponent) in zip(ruled, found, strict=True)],
        points=final.points if final else running,
        final=final,
    )


_OF_GAMES = (
    *("board", "result", "earlier", "round__number"),
    *(f"{side}__{name}" for side in ("white", "black") for name in ("tpn", "rating")),
    *(f"{side}__player__{name}" for side in ("white", "black") for name in ("name", "by_initials")),
)
"""Columns that the page shows. A page may have a thousand games, and Django works longest on columns."""


def _turns(
    entries: Mapping[int, Participant],
) -> dict[int, dict[int, tuple[PlayerRound, Participant | None]]]:
    """Return what each of these entries did in the published rounds with a game or a bye. Two queries."""
    found: dict[int, dict[int, tuple[PlayerRound, Participant | None]]] = {key: {} for key in entries}
    games = Game.objects.filter(Q(white__in=entries) | Q(black__in=entries)).exclude(
        round__state=Round.State.DRAFT
    )
    for game in games.select_related("round", "white__player", "black__player").only(*_OF_GAMES):
        for key, colour, opponent in (
            (game.white_id, Colour.WHITE, game.black),
            (game.black_id, Colour.BLACK, game.white),
        ):
            if key in entries:
                rules = entries[key].section.point_system
                found[key][game.round.number] = round_of_game(game, game.round, colour, rules), opponent
    for bye in Bye.objects.filter(participant__in=entries):
        rules = entries[bye.participant_id].section.point_system
        found[bye.participant_id].setdefault(bye.round_number, (round_of_bye(bye, rules), None))
    return found


# What a player reached in a section that is over.


def without_final_place(today: date) -> QuerySet[Participant]:
    """Return joined entries of sections that are over, of which no final place is noted or something has changed."""
    over = Q(section__status=Section.Status.CLOSED) | Q(section__event__end__lt=today)
    noted = FinalPlace.objects.filter(
        participant=OuterRef("pk"), revision=OuterRef("section__revision"), joined=OuterRef("player__joined")
    )
    entries = Participant.objects.filter(over, player__joined__token__gt="")
    return entries.exclude(pk__in=Subquery(noted.values("participant")))


def final_places(section: Section, entries: Sequence[Participant]) -> list[FinalPlace]:
    """Return what these entries of a section reached, not saved. At most four queries."""
    field = load_field(section)
    table, own = standings_of(field), player_rounds_of(field)
    return [
        FinalPlace(
            participant=entry,
            joined=entry.player.joined,
            revision=section.revision,
            place=table.places.get(entry.pk),
            players=len(table.rows),
            points=field.counted[entry.pk].score,
            performance=performance_in(field, entry.pk, own(entry.pk)),
        )
        for entry in entries
    ]
