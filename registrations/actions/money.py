"""The account of a registration. Lines are added and never changed; money never moves the state back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from base.text import one_line
from registrations.models import Charge, HistoryLine, Registration, SectionRegistration
from registrations.queries.problems import fee_lines, price_in
from tournaments.errors import Refusal

from .event_lock import EventLock, RegistrationActor, event_lock, event_of

# Refusals
MONEY_OUT_OF_RANGE = Refusal("money_out_of_range", _("Type an amount above 0 and at most %(most)s."))


MOST = 10_000_00
"""Cents of one line."""


def charge_fee(
    lock: EventLock, one: Registration, limits: SectionRegistration, by: RegistrationActor
) -> None:
    """Charge the fee of the section with its reductions. A price that changes later does not touch it."""
    for kind, cents in fee_lines(one, limits, lock.today):
        _add(one, kind, cents, by, of_section=True)
    _keep(one)


def change_price(
    one: Registration, lines: Sequence[tuple[str, int]], by: RegistrationActor
) -> list[tuple[str, int]]:
    """Charge another price in the place of the former one, or none. Return the lines of the former price.

    What people have typed into the account stays.
    """
    former = change_prices([(one, lines)], by)[one.pk]
    one.save(update_fields=["balance"])
    return former


def change_prices(
    wanted: Sequence[tuple[Registration, Sequence[tuple[str, int]] | None]], by: RegistrationActor
) -> dict[int, list[tuple[str, int]]]:
    """Charge other prices, as `change_price`. Two queries for any number; the caller saves each balance.

    wanted: None leaves the price as it is. Return the lines of the former prices, by the key of the registration.
    """
    accounts: dict[int, list[Charge]] = {one.pk: [] for one, _lines in wanted}
    for line in Charge.objects.filter(registration__in=accounts).order_by("pk"):
        accounts[line.registration_id].append(line)
    formers, added = {}, []
    for one, wished in wanted:
        formers[one.pk] = former = price_in(accounts[one.pk])
        lines = former if wished is None else list(wished)
        new = [] if lines == former else [(kind, cents) for kind, cents in lines]
        if former and lines != former:
            new.insert(0, (Charge.Kind.MOVED.value, -sum(cents for _kind, cents in former)))
        added += [_line(one, kind, cents, by, of_section=True) for kind, cents in new]
        one.balance = sum(line.cents for line in accounts[one.pk]) + sum(cents for _kind, cents in new)
    Charge.objects.bulk_create(added)
    return formers


def charge(
    *,
    registration_id: int,
    kind: Charge.Kind | str,
    cents: int,
    by: RegistrationActor,
    note: str = "",
    seen_revision: int | None = None,
) -> Registration:
    """Add a line: a payment, a repayment, a reduction or what is waived. cents: above 0.

    A registration may be accepted by itself once nothing is owed.
    Raises NotFound; Stale; DomainError("money_out_of_range").
    """
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id, seen_revision)
        write_charge(lock, one, Charge.Kind(kind), cents, by, note=note)
    return one


def write_charge(
    lock: EventLock,
    one: Registration,
    kind: Charge.Kind,
    cents: int,
    by: RegistrationActor,
    *,
    note: str = "",
    before: Mapping[str, Any] | None = None,
) -> None:
    """Add a line while the lock is held, as `charge`. before: for the line of the history."""
    if not 0 < cents <= MOST:
        raise MONEY_OUT_OF_RANGE.error(most=MOST // 100)
    sign = 1 if kind in (Charge.Kind.FEE, Charge.Kind.REPAYMENT) else -1
    line = _add(one, kind, sign * cents, by, note)
    _keep(one)
    if one.balance <= 0 and one.paid_at is None and kind == Charge.Kind.PAYMENT:
        one.paid_at = lock.now
        one.save(update_fields=["paid_at"])
    kept = {**(before or {}), "charge": line.pk, "cents": cents}
    lock.note(one, HistoryLine.Kind.MONEY, by, fields=[kind.value], before=kept)
    lock.paid.append(one)


AGAINST = {
    Charge.Kind.PAYMENT: Charge.Kind.REPAYMENT,
    Charge.Kind.REPAYMENT: Charge.Kind.PAYMENT,
    Charge.Kind.FEE: Charge.Kind.WAIVER,
    Charge.Kind.REDUCTION: Charge.Kind.FEE,
    Charge.Kind.WAIVER: Charge.Kind.FEE,
}


def undo_charge(lock: EventLock, one: Registration, step: HistoryLine, by: RegistrationActor) -> None:
    """Add the line that ends the one of a step: lines of an account are never deleted."""
    line = one.charges.get(pk=step.before["charge"])
    before = {"undoes": step.before["mark"]} if "mark" in step.before else {}
    write_charge(
        lock, one, AGAINST[Charge.Kind(line.kind)], abs(line.cents), by, note=line.note, before=before
    )
    if one.balance > 0 and one.paid_at is not None:
        one.paid_at = None
        one.save(update_fields=["paid_at"])


def pay_all(*, registration_id: int, by: RegistrationActor) -> Registration:
    """Note that the player has paid what is owed. Nothing happens if nothing is."""
    with event_lock(event_of(registration_id)) as lock:
        one = lock.load(registration_id, None)
        if one.balance > 0:  # read behind the lock: two people at the desk press the button at once
            write_charge(lock, one, Charge.Kind.PAYMENT, one.balance, by)
    return one


def _add(
    one: Registration,
    kind: str,
    cents: int,
    by: RegistrationActor,
    note: str = "",
    *,
    of_section: bool = False,
) -> Charge:
    line = _line(one, kind, cents, by, note, of_section=of_section)
    line.save()
    return line


def _line(
    one: Registration,
    kind: str,
    cents: int,
    by: RegistrationActor,
    note: str = "",
    *,
    of_section: bool = False,
) -> Charge:
    return Charge(
        registration=one,
        kind=kind,
        cents=cents,
        who=by.name[:150],
        note=one_line(note)[:120],
        of_section=of_section,
    )


def _keep(one: Registration) -> None:
    """Keep the sum beside the registration, so that lists can be filtered by it."""
    one.balance = sum(one.charges.values_list("cents", flat=True))
    one.save(update_fields=["balance"])
