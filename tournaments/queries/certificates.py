"""The certificate of a title norm: what FIDE's form IT1 asks for, worked out from the games of a section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenboard_engine.regulations.norms import (
    TITLEHOLDERS,
    UNRATED,
    Code,
    Norm,
    NormCheck,
    required_half_wins,
)
from tournaments.models import Participant, Section

from .field import SectionField, load_field
from .statistics import SentGame, norm_games, norms_of, official_rating_in, sent_games

FORM_TITLES = ("GM", "IM", "WGM", "WIM", "FM", "WFM")
"""The titles that the form counts one by one."""
GUEST_TITLES = frozenset(("GM", "IM", "WGM", "WIM"))


@dataclass(frozen=True, slots=True)
class CertificateGame:
    """A game of the form. rating: the opponent's, 0 for none. counted: the rating that counts (1.4.6, 1.4.7)."""

    round: int
    opponent: Participant
    rating: int
    counted: int
    half_wins: int

    @property
    def points(self) -> int:
        """In tenths."""
        return 5 * self.half_wins


@dataclass(frozen=True, slots=True)
class Certificate:
    """The form of one norm. points_required: the least score for the norm, in tenths. titles: of the opponents.

    federations: of the opponents. guests: opponents who are not of the player's federation. hosts: those of the
    federation of the tournament. rated: those with a rating.
    """

    entry: Participant
    check: NormCheck
    games: Sequence[CertificateGame]
    points_required: int
    federations: int
    guests: int
    hosts: int
    rated: int
    titles: Mapping[str, int]

    @property
    def norm(self) -> Norm:
        return self.check.norm

    @property
    def average(self) -> int:
        return self.check.value(Code.AVERAGE)

    @property
    def points(self) -> int:
        """In tenths, as the others."""
        return sum(game.points for game in self.games)

    @property
    def points_over(self) -> int:
        """By how much the score exceeds what the norm requires."""
        return self.points - self.points_required

    @property
    def titled(self) -> int:
        return sum(self.titles.values())


@dataclass(frozen=True, slots=True)
class Certificates:
    """The forms of all norms that are reached, and what a form with an exemption asks of the tournament (1.4.3e).

    federations: of all players. rated_guests, titled_guests: players who are not of the host federation, with a rating
    and with a title of `GUEST_TITLES`.
    """

    rows: Sequence[Certificate]
    federations: int
    rated_guests: int
    titled_guests: int


def certificates(section: Section) -> Certificates:
    """Return the certificates of all norms whose checked conditions are met. Four queries."""
    field = load_field(section)
    games, host = sent_games(field), section.event.federation
    players = [entry.player for entry in field.participants.values()]
    guests = [entry for entry in field.participants.values() if entry.player.federation != host]
    return Certificates(
        rows=[
            _certificate(field, games, row.side.participant_id, row.check)
            for row in norms_of(field).rows
            if row.check.met
        ],
        federations=len({player.federation for player in players if player.federation}),
        rated_guests=sum(bool(entry.official_rating) for entry in guests),
        titled_guests=sum(entry.player.title in GUEST_TITLES for entry in guests),
    )


def _certificate(
    field: SectionField, games: Mapping[int, Sequence[SentGame]], key: int, check: NormCheck
) -> Certificate:
    own, host = field.participants[key].player.federation, field.section.event.federation
    rows = [
        (game, field.participants[game.opponent], official_rating_in(field, game.opponent, game.round))
        for game in norm_games(field, games, key)
    ]
    ratings = [rating or UNRATED for _game, _opponent, rating in rows]
    if check.raised is not None:
        ratings[ratings.index(min(ratings))] = check.norm.floor
    opponents = [opponent for _game, opponent, _rating in rows]
    titles = Counter(one.player.title for one in opponents if one.player.title in TITLEHOLDERS)
    required = required_half_wins(check.norm, check.value(Code.AVERAGE), len(rows))
    assert required is not None, "the norm is reached"
    return Certificate(
        entry=field.participants[key],
        check=check,
        games=[
            CertificateGame(game.round, opponent, rating, counted, game.half_wins)
            for (game, opponent, rating), counted in zip(rows, ratings, strict=True)
        ],
        points_required=5 * required,
        federations=len({one.player.federation for one in opponents}),
        guests=sum(one.player.federation != own for one in opponents),
        hosts=sum(one.player.federation == host for one in opponents),
        rated=sum(bool(rating) for _game, _opponent, rating in rows),
        titles={title: titles[title] for title in FORM_TITLES},
    )
