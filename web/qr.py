"""QR codes that open a page on a phone, and the address by which phones reach this program.

The codes of many addresses that are alike, such as those of all boards of a round, are made together.
"""

from __future__ import annotations

import math
import re
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.safestring import SafeString, mark_safe

from web.languages import for_any_reader, in_language

QUIET = 4  # modules around the code
MASK = 3  # diagonals, so that no row or column of modules repeats
NEVER_REACHED = frozenset({"localhost", "127.0.0.1", "::1"})  # by another device than this computer


def public_url(request: HttpRequest, path: str, language: str = "") -> str:
    """Return the whole address of a page: under PUBLIC_URL if it is set, else under the address that the
    browser used. Without `language` the page comes in that of its reader.

    For answers to the person who asked. Only a program that this person runs can send a port which is none of ours.
    """
    path = in_language(for_any_reader(path), language)
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    return request.build_absolute_uri(path)


def url_for_others(request: HttpRequest, path: str) -> str:
    """Return the whole address of a page for somebody else than the person who asked.

    Without PUBLIC_URL, it has the host name of the request (`own_host`).
    """
    if settings.PUBLIC_URL:
        return public_url(request, path)
    return f"{request.scheme}://{own_host(request)}{for_any_reader(path)}"


def own_host(request: HttpRequest) -> str:
    """Return the name under which the browser reached this server, one of ALLOWED_HOSTS, and the port.

    A port other than the usual one becomes that of this server: nobody knows whose program listens on the port that a
    stranger wrote there.
    """
    host = request.get_host()
    name, port = split_domain_port(host)
    if not port or port == request.get_port():
        return host
    usual = "443" if request.is_secure() else "80"
    return name if request.get_port() == usual else f"{name}:{request.get_port()}"


def reaches_phones(request: HttpRequest) -> bool:
    """Return False if `public_url` names this computer in a way that no other device understands."""
    return urlsplit(public_url(request, "/")).hostname not in NEVER_REACHED


def qr_svg(text: str) -> SafeString:
    """Return the code as an <svg> of one path, without a size and without style. One module is one unit.

    Error correction M: a seventh of the code may be dirty. The quiet zone of four modules is included. The mask
    is fixed, because weighing all eight takes four times as long, and an arbiter waits for a hundred codes at
    the printer.
    """
    code = segno.make(text, error="m", micro=False, mask=MASK)
    drawn = code.svg_inline(border=QUIET, omitsize=True, svgclass="qr", lineclass=None)
    return mark_safe(drawn)  # noqa: S308  numbers of modules alone; the text is not in it


# QR codes of many addresses that are alike, such as those of all boards of a round.
#
# The modules of a code with a fixed mask are sums modulo 2 of the bits of its text, error correction included
# (ISO/IEC 18004). So the code of an address is that of another one of the same length, changed by what each bit
# changes in which the two differ. A hall of 2,500 boards needs some twenty codes from the library, and not 2,500,
# each of which takes a millisecond.

RUN = re.compile("1+")


class QrCodes:
    """Draws the codes of many addresses as `qr_svg` draws them."""

    def __init__(self) -> None:
        self._first: dict[int, bytes] = {}
        self._modules: dict[bytes, int] = {}

    def svg(self, address: str) -> SafeString:
        text = address.encode()
        first = self._first.setdefault(len(text), text)
        plain = modules = self._of(first)
        for place, (byte, other) in enumerate(zip(first, text, strict=True)):
            for bit in range((byte ^ other).bit_length()):
                if (byte ^ other) >> bit & 1:
                    changed = bytes((*first[:place], byte ^ 1 << bit, *first[place + 1 :]))
                    modules ^= plain ^ self._of(changed)
        width = math.isqrt(modules.bit_length())
        return _drawn(f"{modules:0{width * width}b}", width)

    def _of(self, text: bytes) -> int:
        """Return all modules of a code as the bits of one integer, row by row. The first module is always dark."""
        if text not in self._modules:
            code = segno.make(text, error="m", micro=False, mask=MASK, mode="byte")
            self._modules[text] = int("".join("1" if dark else "0" for row in code.matrix for dark in row), 2)
        return self._modules[text]


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
