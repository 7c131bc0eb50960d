"""The pictures of "Why this pairing?", inline SVG from pure functions.

Lines from S1 to G2, the squares of the two sides, score groups with floats as arrows, and the sides of all brackets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evenboard_engine import Colour
from evenboard_engine.trace import BracketTrace, PairTrace, RoundTrace
from evenboard_engine.words.explanation import ExplanationColumn, Words
from tournaments.models import Participant
from tournaments.queries.field import PlayerCell
from tournaments.queries.why import RoundExplanation

# Pictures of a bracket, inline SVG from pure functions: lines from S1 to G2, and the squares of the two
# sides.

SQUARES_ROW = 100  # height of a row in the picture; on the page it is ROW_REM
ROW_REM = 2.25
SQUARE, SQUARES_STEP = 8, 11
UPPER, LOWER, HIGH = 3, 16, 32
SQUARE_REM = 0.6875  # width of a step on the page, where there is room


@dataclass(frozen=True, slots=True)
class PicturedPlayer:
    """A player on a side. due: "w", "b", or "n" if no colour is due. floated: from another score."""

    due: str
    floated: bool = False


def pair_lines(
    columns: Sequence[int], *, picked: int | None = None, shown: range | None = None
) -> SafeString:
    """Draw one line a row of S1: columns[row] is the place in G2 of its opponent, from 0. picked: a row to stand out.

    The picture is as high as the lists beside it, and is stretched to the width that is left between them. shown: the
    rows that are listed, all by default; a line from or to another row is cut off at the edge.
    """
    shown = shown or range(len(columns))
    lines = (
        (
            SafeString(' class="pick"') if row == picked else "",
            (row - shown.start) * SQUARES_ROW + SQUARES_ROW // 2,
            (column - shown.start) * SQUARES_ROW + SQUARES_ROW // 2,
        )
        for row, column in enumerate(columns)
        if row in shown or column in shown
    )
    return format_html(
        '<svg viewBox="0 0 100 {}" height="{}rem" preserveAspectRatio="none" aria-hidden="true">{}</svg>',
        len(shown) * SQUARES_ROW,
        len(shown) * ROW_REM,
        format_html_join(
            "",
            '<path{0} d="M0 {1}C45 {1} 55 {2} 100 {2}"/>',
            lines,
        ),
    )


def two_sides(upper: Sequence[PicturedPlayer], lower: Sequence[PicturedPlayer]) -> SafeString:
    """Draw a square for each player: White's side above, Black's side below. A bar marks those from another score."""
    width = max(len(upper), len(lower)) * SQUARES_STEP
    return format_html(
        '<svg class="sides" viewBox="0 0 {0} {1}" width="{2}rem" aria-hidden="true">{3}{4}</svg>',
        width,
        HIGH,
        round(width / SQUARES_STEP * SQUARE_REM, 3),
        format_html_join("", '<path class="{}" d="M{} {}h{}v{}h-{}z"/>', _squares(upper, UPPER + 2)),
        format_html_join("", '<path class="{}" d="M{} {}h{}v{}h-{}z"/>', _squares(lower, LOWER + 1)),
    )


def _squares(side: Iterable[PicturedPlayer], top: int) -> list[tuple[str, float, float, float, float, float]]:
    drawn: list[tuple[str, float, float, float, float, float]] = []
    for at, place in enumerate(side):
        left = at * SQUARES_STEP + 1.5
        drawn.append((place.due, left, top, SQUARE, SQUARE, SQUARE))
        if place.floated:
            bar = top - 4 if top < LOWER else top + SQUARE + 1.5
            drawn.append(("up", left - 0.75, bar, SQUARE + 1.5, 2.5, SQUARE + 1.5))
    return drawn


# The picture of the floats of a round: score groups as lines, floats as arrows. Inline SVG from a pure
# function.

LEFT, FLOATS_STEP, FLOATS_ROW, TOP = 84, 66, 64, 16
GAP, HEAD = 9, 5


@dataclass(frozen=True, slots=True)
class Arrow:
    """A float. high, low: rows of both score groups, from 0. player, opponent: pairing numbers.

    changed: other players than by ratings alone; cost: of the change, "" for none.
    """

    high: int
    low: int
    player: str
    opponent: str
    changed: bool
    cost: str = ""


def float_chart(groups: Sequence[str], arrows: Sequence[Arrow]) -> SafeString:
    """Draw the score groups from the highest, and an arrow for each float, side by side."""
    width, height = LEFT + FLOATS_STEP * len(arrows), TOP * 2 + FLOATS_ROW * (len(groups) - 1)
    lines = ((_y(row), width, name) for row, name in enumerate(groups))
    return format_html(
        '<svg class="floats" viewBox="0 0 {0} {1}" width="{2}rem" aria-hidden="true">{3}{4}</svg>',
        width,
        height,
        round(width / 16, 2),
        format_html_join(
            "", '<text x="0" y="{0}" dy="4">{2}</text><path class="group" d="M76 {0}H{1}"/>', lines
        ),
        format_html_join(
            "",
            '<path class="{0}" d="M{1} {2}V{3}m-{5} -{5}l{5} {5} {5} -{5}"/>'
            '<text x="{1}" y="{2}" dx="7" dy="7">{6}</text><text x="{1}" y="{3}" dx="9" dy="-3">{7}</text>'
            '<text class="cost" x="{1}" y="{4}" dx="7" dy="5">{8}</text>',
            (_drawn(number, arrow) for number, arrow in enumerate(arrows)),
        ),
    )


def _y(row: int) -> int:
    return TOP + FLOATS_ROW * row


def _drawn(number: int, arrow: Arrow) -> tuple[str | int, ...]:
    start, end = _y(arrow.high) + GAP, _y(arrow.low) - 2
    return (
        "changed" if arrow.changed else "natural",
        LEFT + FLOATS_STEP * number + 12,
        start,
        end,
        (start + end) // 2,
        HEAD,
        arrow.player,
        arrow.opponent,
        arrow.cost,
    )


# The pictures of "Why this pairing?": S1 beside G2 with the pairs as lines, and the sides of all brackets.

ALL_ROWS = 12  # a bracket with more is cut around the pair in question
AROUND = 3  # rows before and after it
Address = Callable[[int], str]
"""Returns the page of a player, by key."""
DUE: dict[Colour | None, str] = {Colour.WHITE: "w", Colour.BLACK: "b"}


def shown_surnames(participants: Mapping[int, Participant]) -> dict[int, str]:
    """Return the surnames for the reader, by key, with an initial where several players share one.

    Where the initial is the same too, the whole given name.
    """
    found = {key: one.shown_surname for key, one in participants.items()}
    given = {
        key: "" if one.by_initials else one.player.name.partition(",")[2].strip()
        for key, one in participants.items()
    }
    surnames = Counter(found.values())
    initials = Counter((found[key], given[key][:1]) for key in found)
    for key, surname in list(found.items()):
        if given[key] and surnames[surname] > 1:
            more = given[key] if initials[surname, given[key][0]] > 1 else f"{given[key][0]}."
            found[key] = f"{surname} {more}"
    return found


@dataclass(frozen=True, slots=True)
class PicturedSeat:
    """A player in a column. here: of the pair in question. url: of the page that explains the player's pairing.

    floats: ("down",) for a player who has moved down, ("up",) for the opponent, () for others.
    """

    side: PlayerCell
    surname: str
    aro: float
    colour: Colour
    here: bool
    url: str
    floats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """rows: of S1 and of G2 in its untouched order, who need not meet. above, below: how many rows are not shown.

    floaters: who is not paired in the bracket, as the words name them. moved: somebody has moved down.
    """

    rows: tuple[tuple[PicturedSeat, PicturedSeat], ...]
    lines: SafeString
    above: int
    below: int
    columns: tuple[ExplanationColumn, ExplanationColumn]
    floaters: tuple[str, ...]
    moved: bool


def match_picture(
    found: RoundExplanation,
    bracket: BracketTrace,
    words: Words,
    address: Address,
    picked: PairTrace | None = None,
    *,
    whole: bool = True,
) -> Picture:
    """A bracket, with a pair to stand out. whole: all its rows; else those around the pair. address: see `Seat.url`."""
    aro = {member.id: member.aro for member in (*bracket.g1, *bracket.g2)}
    white = {
        pair.black if found.colours_of_the_file(pair.white, pair.black) else pair.white
        for pair in bracket.pairs
    }
    column = {key: place for place, key in enumerate(bracket.order)}
    here = () if picked is None else (picked.first, picked.second)

    surnames = shown_surnames(found.field.participants)
    here_before = {*bracket.residents, *bracket.upfloaters}
    moved = [pair for pair in bracket.pairs if pair.first not in here_before]
    floats = {pair.first: ("down",) for pair in moved} | {pair.second: ("up",) for pair in moved}

    def seat(key: int) -> PicturedSeat:
        colour = Colour.WHITE if key in white else Colour.BLACK
        side, to = found.field.side(key), floats.get(key, ())
        return PicturedSeat(side, surnames[key], aro[key], colour, key in here, address(key), to)

    count = len(bracket.pairs)
    at = None if picked is None else bracket.pairs.index(picked)
    shown = range(count)
    if at is not None and picked is not None and not whole and count > ALL_ROWS:
        place = column[picked.second]
        shown = range(max(0, min(at, place) - AROUND), min(count, max(at, place) + AROUND + 1))
    return Picture(
        rows=tuple((seat(bracket.pairs[row].first), seat(bracket.order[row])) for row in shown),
        lines=pair_lines([column[pair.second] for pair in bracket.pairs], picked=at, shown=shown),
        above=shown.start,
        below=count - shown.stop,
        columns=words.columns(bracket),
        floaters=tuple(map(words.name, bracket.floaters)),
        moved=bool(moved),
    )


def floats_picture(found: RoundExplanation, trace: RoundTrace, words: Words) -> SafeString:
    """The score groups with an arrow for each float; "" if the system has no floats of this kind, or the round none."""
    if not trace.floats:
        return SafeString("")
    levels = sorted({score for one in trace.floats for score in (one.from_score, one.to_score)}, reverse=True)
    row = {score: at for at, score in enumerate(levels)}
    arrows = [
        Arrow(
            row[one.from_score],
            row[one.to_score],
            str(found.field.side(one.player).tpn),
            str(found.field.side(one.opponent).tpn),
            not one.natural,
            str(one.cost) if one.cost else "",
        )
        for one in trace.floats
    ]
    return float_chart([words.points(score) for score in levels], arrows)


def sides_picture(bracket: BracketTrace) -> SafeString:
    """A square for each player of the bracket, above for S1 and below for G2, white or black as the colour due."""
    due = {member.id: DUE.get(member.due, "n") for member in (*bracket.g1, *bracket.g2)}

    def place(key: int) -> PicturedPlayer:
        return PicturedPlayer("n" if bracket.unplayed else due[key], key not in bracket.residents)

    return two_sides([place(pair.first) for pair in bracket.pairs], [place(key) for key in bracket.order])
