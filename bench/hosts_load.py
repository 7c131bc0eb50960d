"""The phones of bench/hosts.py, in a process of their own: they look at what they get.

Reads what to do as a line of JSON from the standard input. A second line says that nobody types any more: the phones go
on until all of them show the last revision. Prints what they saw as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from bench.hall_load import LoadTally, plain, revision
from bench.publication_load import OPENING, TAG, Phone, PhoneCrowd

NICENESS = 10  # phones are other machines: they take no processor from the servers of this one
CONVERGES = 60.0  # seconds after the last move: a phone that is told to come again waits for up to 16
LIVE = ("pairings/", "standings/")
"""Pages that show every result; the page of a player asks only whether there is a new round."""
ROUND = re.compile(r"<h1>Round (\d+)</h1>")
BOARD = re.compile(
    r'scope="row" class="bd">(?:<a [^>]*>)?(\d+)<.*?class="end">'
    r'(?:<span class="res"[^>]*>([^<]*)</span>|<span class="sr">no result)'
)
WRITTEN = {"1–0": "1-0", "½–½": "1/2", "0–1": "0-1", "": ""}


@dataclass
class WatchfulCrowd(PhoneCrowd):
    """What all phones saw together.

    contents: by address and ETag what was in the answer; one thing only, whichever process made it.
    shown: by page and revision, when a phone first saw it. stale: seconds by which an answer was older than another one
    that was already there when it was asked for. boards: by revision, the round and its results on the pairings page.
    """

    contents: dict[tuple[bytes, bytes], set[str]] = field(default_factory=lambda: defaultdict(set))
    raw: dict[tuple[bytes, bytes], set[int]] = field(default_factory=lambda: defaultdict(set))
    shown: dict[str, list[tuple[int, float]]] = field(default_factory=lambda: defaultdict(list))
    stale: list[float] = field(default_factory=list)
    back: int = 0
    cut: int = 0
    answers: int = 0
    boards: dict[int, tuple[int, dict[int, str]]] = field(default_factory=dict)

    def saw(self, phone: WatchfulPhone, address: bytes, head: bytes, body: bytes) -> int | None:
        """Look at a page. Return its revision."""
        found = TAG.search(head)
        key = (address, found.group(1) if found else b"")
        self.answers += 1
        if hash(body) not in self.raw[key]:
            self.raw[key].add(hash(body))
            text = plain(body)
            self.contents[key].add(sha256(text).hexdigest())
            self.cut += b"/news/" not in address and not text.rstrip().endswith(b"</html>")  # those are parts
            if phone.page == "pairings/":
                self.read_boards(text)
        asks = self.question(phone.page, head, body)
        seen = revision(asks)
        return None if seen is None else int(seen)

    def read_boards(self, page: bytes) -> None:
        text, seen = page.decode(), revision(page)
        number = ROUND.search(text)
        if number and seen:
            rows = {int(board): WRITTEN[result] for board, result in BOARD.findall(text)}
            self.boards[int(seen)] = (int(number.group(1)), rows)

    def compare(self, phone: WatchfulPhone, seen: int) -> None:
        """Note how old a revision is, beside what others have seen of this page."""
        known = self.shown[phone.page]
        place = bisect_right(known, (seen, float("inf")))
        if place < len(known):
            late = phone.began - known[place][1]
            if late > 0:
                self.stale.append(late)
        elif not known or known[-1][0] < seen:
            known.append((seen, time.perf_counter()))
        self.back += seen < phone.seen
        phone.seen = seen


class WatchfulPhone(Phone):
    """A phone that looks at each page. seen: the revision that it shows."""

    crowd: WatchfulCrowd
    seen = 0

    def answered(self, status: int, head: bytes, body: bytes) -> None:
        refresh = b"\r\nhx-refresh" in head.lower()
        if status == 200 and not refresh:
            address = self.question if self.asked == "poll" else self.page.encode()
            found = self.crowd.saw(self, address, head, body)
            if found is not None:
                self.crowd.compare(self, found)
        super().answered(status, head, body)

    def poll(self) -> None:
        super().poll()
        if self.crowd.source.random() < self.crowd.task["poll"] / self.crowd.task["opens"]:
            self.later = self.later or "open"


async def main(task: dict[str, Any]) -> dict[str, Any]:
    """Let the phones read until a line says that the typing is over, and then until all show the end."""
    os.nice(NICENESS)
    loop = asyncio.get_running_loop()
    pages = [
        page
        for player in range(1, task["players"] + 1)
        for page in ("pairings/", "pairings/", "standings/", f"players/{player}/")
    ]
    crowd = WatchfulCrowd(task, LoadTally(since=0.0), loop, pages=pages)
    phones = [WatchfulPhone(crowd, number) for number in range(task["clients"])]
    opening = min(OPENING, task["clients"] / 500)
    for phone in phones:
        loop.call_later(crowd.source.uniform(0, opening), phone.ask, "open")
    used, began = time.process_time(), time.perf_counter()
    last = int(await loop.run_in_executor(None, sys.stdin.readline))
    ended = time.perf_counter()

    def behind() -> int:
        return sum(phone.seen < last and phone.page in LIVE for phone in phones)

    while behind() and time.perf_counter() < ended + CONVERGES + task["poll"]:
        await asyncio.sleep(0.2)
    seconds = time.perf_counter() - began
    crowd.tally.over = True
    times = {kind: sorted(each) for kind, each in crowd.tally.times.items()}
    return {
        "times": {
            kind: [each[len(each) // 2], each[len(each) * 99 // 100], each[-1]]
            for kind, each in times.items()
        },
        "answers": crowd.tally.answers,
        "pages": crowd.answers,
        "different": len(crowd.contents),
        "two contents": [[*map(bytes.decode, key)] for key, each in crowd.contents.items() if len(each) > 1],
        "last contents": {
            f"{address.decode()} {tag.decode()}": each.pop()
            for (address, tag), each in crowd.contents.items()
        },
        "cut": crowd.cut,
        "back": crowd.back,
        "stale": sorted(crowd.stale),
        "boards": crowd.boards,
        "behind": behind(),
        "converged": time.perf_counter() - ended,
        "late": crowd.late,
        "seconds": seconds,
        "own": (time.process_time() - used) / seconds,
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(json.loads(sys.stdin.readline())))))
