"""Prizes in words: who may win in a category, and how each sum is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER
from evenboard_engine.words.prizes import METHODS, award_sentences, money_text
from tournaments.models import PrizeCategory, PrizePlan, Sex
from tournaments.models.prizes import Unrated
from tournaments.queries.prizes import CategoryPrizes, PrizeList
from tournaments.queries.standings import StandingRow


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize on a page. place: in the category. how: the sentences about the sum."""

    row: StandingRow
    place: int
    amount: str
    how: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrizeBlock:
    """A category on a page. about: the method, and who may win. unknown, left: sentences, "" if there is nothing."""

    name: str
    about: str
    lines: tuple[PrizeLine, ...]
    fund: str
    unknown: str
    left: str


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """What a player takes. prizes: a label for each prize."""

    row: StandingRow
    prizes: tuple[str, ...]
    total: str


def receipt_lines(listed: PrizeList) -> list[ReceiptLine]:
    """Return what each winner takes, in the order of the standings."""
    currency, text = listed.plan.currency, _("%(category)s, place %(place)s: %(sum)s")
    return [
        ReceiptLine(
            receipt.row,
            tuple(
                text % {"category": name, "place": place, "sum": money(amount, currency)}
                for name, place, amount in receipt.prizes
            ),
            money(receipt.total, currency),
        )
        for receipt in listed.receipts
    ]


def prize_blocks(listed: PrizeList) -> list[PrizeBlock]:
    """Return the categories as a page and a sheet show them."""
    return [_block(found, listed.plan.currency) for found in listed.categories]


def money(hundredths: int, currency: str) -> str:
    """Return an amount with its currency, if that is known."""
    return f"{money_text(hundredths, READER)} {currency}".strip()


def plan_words(plan: PrizePlan) -> list[str]:
    """Return sentences about the whole plan."""
    sentences = [
        _("Each player wins only the best prize, and others move up in the other categories.")
        if plan.best_only
        else _("A player can win in several categories.")
    ]
    rest = (
        _("Sums are rounded down to multiples of %(unit)s, and the rest goes to the best placed.")
        if plan.rest_to_best
        else _("Sums are rounded down to multiples of %(unit)s, and the rest is not paid.")
    )
    sentences.append(rest % {"unit": money_text(plan.unit, READER)})
    if plan.withdrawn:
        sentences.append(_("Withdrawn players may win."))
    return sentences


def _block(found: CategoryPrizes, currency: str) -> PrizeBlock:
    category = found.category
    lines = tuple(
        PrizeLine(
            winner.row,
            winner.award.same[0],
            money(winner.award.amount, currency),
            award_sentences(
                winner.award, category.method, category.prizes, found.elsewhere(winner.award), READER
            ),
        )
        for winner in found.winners
    )
    return PrizeBlock(
        name=category.name,
        about=READER.listed([_(METHODS[category.method]), *limits_of(category), _players(found)], "comma"),
        lines=lines,
        fund=money(category.fund, currency),
        unknown=_unknown(found),
        left=_("%(sum)s is not paid.") % {"sum": money(found.left, currency)} if found.left else "",
    )


def _players(found: CategoryPrizes) -> str:
    return ngettext("%(count)s player", "%(count)s players", found.players) % {"count": found.players}


def _unknown(found: CategoryPrizes) -> str:
    if not found.unknown:
        return ""
    return ngettext(
        "The sex or the year of birth of %(count)s player is not known, so this player cannot win here.",
        "The sex or the year of birth of %(count)s players is not known, so they cannot win here.",
        found.unknown,
    ) % {"count": found.unknown}


def limits_of(category: PrizeCategory) -> Iterator[str]:
    """Yield who may win, as parts of a list."""
    low, high = category.rating_from, category.rating_to
    if low and high:
        yield _("rating %(low)s to %(high)s") % {"low": low, "high": high}
    elif low or high:
        yield _("rating from %(low)s") % {"low": low} if low else _("rating to %(high)s") % {"high": high}
    if category.unrated == Unrated.NOT:
        yield _("without unrated players")
    elif category.unrated == Unrated.ONLY:
        yield _("only unrated players")
    if category.sex:
        yield str(Sex(category.sex).label)
    if category.born_from:
        yield _("born in or after %(year)s") % {"year": category.born_from}
    if category.born_to:
        yield _("born in or before %(year)s") % {"year": category.born_to}
    if category.club:
        yield _("club %(club)s") % {"club": category.club}
    if category.federations:
        yield READER.listed(category.federations, "or")
