"""QR codes of many addresses that differ in one number, such as those of all boards of a round.

The modules of a code with a fixed mask are sums modulo 2 of the bits of its text, error correction included (ISO/IEC
18004). So the code of board 1234 is that of board 1000, changed by what each other digit changes. A hall of 2,500
boards needs some thirty codes from the library, and not 2,500, each of which takes a millisecond.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import segno
from django.utils.safestring import SafeString, mark_safe

from web.qr import MASK, QUIET

RUN = re.compile("1+")


class CodesOfNumbers:
    """The codes of these addresses, as `qr_svg` draws them. address: of a number, with its digits in it once."""

    def __init__(self, address: Callable[[int], str]) -> None:
        self._address = address
        self._widths: dict[int, int] = {}
        self._modules: dict[int, int] = {}

    def svg(self, number: int) -> SafeString:
        """Return the code of the address of this number, which is at least 1."""
        digits = str(number)
        first = 10 ** (len(digits) - 1)
        plain = modules = self._of(first)
        for place, digit in enumerate(digits):
            tens = 10 ** (len(digits) - 1 - place)
            with_digit = first + (int(digit) - (place == 0)) * tens
            modules ^= plain ^ self._of(with_digit)
        width = self._widths[first]
        return _drawn(f"{modules:0{width * width}b}", width)

    def _of(self, number: int) -> int:
        """Return all modules of the code of a number as the bits of one integer, row by row."""
        if number not in self._modules:
            code = segno.make(self._address(number), error="m", micro=False, mask=MASK)
            self._widths[number] = len(code.matrix)
            self._modules[number] = int(
                "".join("1" if dark else "0" for row in code.matrix for dark in row), 2
            )
        return self._modules[number]


def _drawn(modules: str, width: int) -> SafeString:
    """Return the drawing of a code: one line for each run of dark modules in a row."""
    lines, x, y = [], 0, 0
    for row in range(width):
        for run in RUN.finditer(modules, row * width, (row + 1) * width):
            start, end = run.start() - row * width, run.end() - row * width
            lines.append(f"m{start - x} {row - y}h{end - start}")
            x, y = end, row
    path = "".join(lines).replace("m0 0", f"M{QUIET} {QUIET}.5", 1)
    size = width + 2 * QUIET
    return mark_safe(f'<svg viewBox="0 0 {size} {size}" class="qr"><path stroke="#000" d="{path}"/></svg>')  # noqa: S308  numbers of modules alone
