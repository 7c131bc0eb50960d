"""The codes of many addresses are those that each address has alone."""

from __future__ import annotations

import pytest
import segno

from web.qr import QrCodes, qr_svg


def address(number: int) -> str:
    return f"http://192.168.1.20:8000/open-2026/a/round/6/board/{number}/"


def test_each_code_is_that_of_its_own_address() -> None:
    codes = QrCodes()
    for number in (*range(1, 24), 99, 100, 101, 250, 999, 1000, 1234, 2500, 9999):
        assert codes.svg(address(number)) == qr_svg(address(number))
    for secret in ("aZ09-_", "______", "abcdef"):
        assert codes.svg(address(1) + secret) == qr_svg(address(1) + secret)


def test_a_hall_of_2500_boards_needs_few_codes_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    make = segno.make

    def counted(*arguments: object, **options: object) -> segno.QRCode:
        made.append(arguments)
        return make(*arguments, **options)

    monkeypatch.setattr(segno, "make", counted)
    codes = QrCodes()
    for number in range(1, 2501, 7):
        codes.svg(address(number))
    assert len(made) <= 4 * (1 + 4 * 4)
