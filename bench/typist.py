"""One arbiter types a whole round by keyboard in a real browser: `python -m bench.typist`.

    --boards 100          the number of slips; two of them are forfeits
    --keys evenboard      the digits for results: evenboard, vega, swiss-manager
    --shuffled            slips in random order: B and Space once, then number and result, with Enter between them if
                          a longer number begins with the same digits; without it in the order of boards, one key each
    --latency 300         milliseconds added to every answer of the server
    --cut 60              seconds without a network, beginning after a third of the round
    --reading 0.9         seconds, on average, for a person to pick up a slip and read it
    --key 0.18            seconds, on average, from one key to the next within a slip

    --players             type ten players on Entries instead, one key every 300 milliseconds

Prints how long the round took, how much of this the page took, and whether every result is stored as it was typed. Of
players: how long from the opened page to the last one in the list.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, Page, expect, sync_playwright

from bench.arbiters import KilledServer, ask_database, collect, free_port
from tests.machine import find_chromium

FIVE = {"1-0": "1", "1/2": "5", "0-1": "0"}
KEYS = {
    "evenboard": {**FIVE, "+:-": "f1", "-:+": "f0"},
    "vega": {**FIVE, "+:-": "3", "-:+": "4"},
    "swiss-manager": {"1-0": "1", "1/2": "2", "0-1": "3", "+:-": "4", "-:+": "5"},
}
PLAYERS = [  # as they are typed: name, FIDE rating, national rating, federation
    *(
        ("Kowalczyk, Malgorzata", 1897, 0, "POL"),
        ("de Vries, Anna", 0, 1402, "NED"),
        ("Okonkwo, Ada", 1755, 0, "NGR"),
    ),
    *(
        ("Lefort, Ines", 2011, 1980, "FRA"),
        ("Berzins, Martins", 1460, 0, "LAT"),
        ("Nguyen, Phuong", 1483, 0, "VIE"),
    ),
    *(
        ("Haddad, Yakub", 1462, 0, "JOR"),
        ("Aaltonen, Niilo", 2204, 0, "FIN"),
        ("Fitzgerald, Brid", 1398, 1377, "IRL"),
    ),
    ("Garcia Lopez, Jose", 1640, 0, "ESP"),
]
A_KEY = 0.3  # seconds
PAINTED = """
window.painted = [];
addEventListener("keydown", () => {
  const began = performance.now();
  requestAnimationFrame(() => setTimeout(() => painted.push(performance.now() - began)));
}, true);
"""


@dataclass(frozen=True)
class TypingPace:
    """Average pauses in seconds; each pause is random, from half the average to double."""

    reading: float
    key: float

    def pause(self, source: random.Random, seconds: float) -> None:
        time.sleep(seconds * min(2.0, max(0.5, source.lognormvariate(-0.05, 0.3))))


@dataclass(frozen=True)
class Typed:
    """typing: seconds from the first slip to the last key. draining: seconds from then until nothing was queued."""

    keys: int
    typing: float
    draining: float
    longest_queue: int
    painted: list[float]


def type_round(
    page: Page, network: CDPSession, slips: list[tuple[int, str]], options: argparse.Namespace
) -> Typed:
    """Type the slips; latency and the cut of the network come from the options."""
    pace, source = TypingPace(options.reading, options.key), random.Random(options.seed)
    keys_of = KEYS[options.keys]
    slow = {"latency": options.latency, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", {"offline": False, **slow})
    cut_at, back_at = (len(slips) // 3 if options.cut else -1), 0.0
    pressed = longest = 0
    boards = [str(board) for board, _result in slips]
    began = time.monotonic()
    for stroke in ("b", " ") if options.shuffled else ():
        page.keyboard.press(stroke)
        pace.pause(source, pace.key)
        pressed += 1
    for number, (board, result) in enumerate(slips):
        if number == cut_at:
            network.send("Network.emulateNetworkConditions", {"offline": True, **slow})
            back_at = time.monotonic() + options.cut
        if back_at and time.monotonic() > back_at:
            network.send("Network.emulateNetworkConditions", {"offline": False, **slow})
            back_at = 0.0
        longest = max(longest, queued(page))
        pace.pause(source, pace.reading)
        strokes = strokes_to(str(board), boards) if options.shuffled else []
        for stroke in [*strokes, *keys_of[result]]:
            page.keyboard.press(stroke)
            pace.pause(source, pace.key)
            pressed += 1
    typing = time.monotonic() - began
    longest = max(longest, queued(page))
    if back_at:
        time.sleep(max(0.0, back_at - time.monotonic()))
        network.send("Network.emulateNetworkConditions", {"offline": False, **slow})
    began = time.monotonic()
    expect(page.locator("#queue")).to_be_hidden(timeout=120_000)
    return Typed(pressed, typing, time.monotonic() - began, longest, page.evaluate("painted"))


def type_players(page: Page, section: str) -> tuple[int, float]:
    """Type the players into the row of Entries, by keys alone. Return the number of keys, and the seconds it took."""
    page.goto(f"{section}entries/", wait_until="commit")
    began, pressed = time.monotonic(), 0
    expect(page.get_by_label("Name, or FIDE ID")).to_be_focused()
    for name, fide, national, federation in PLAYERS:
        to_federation = ["Tab", *str(national or ""), "Tab", *federation, "Enter"]
        for stroke in [*name, "Tab", "Tab", *str(fide or ""), *to_federation]:
            page.keyboard.press(stroke)
            time.sleep(A_KEY)
            pressed += 1
    for name, *_values in PLAYERS:
        expect(page.locator("#list").get_by_text(name, exact=True)).to_be_visible(timeout=30_000)
    return pressed, time.monotonic() - began


def strokes_to(board: str, boards: list[str]) -> list[str]:
    """Return the keys that find a board: Enter only if a longer number begins with the same digits."""
    longer = any(other != board and other.startswith(board) for other in boards)
    return [*board, "Enter"] if longer else [*board]


def queued(page: Page) -> int:
    """Return how many results are queued, by the label above the keys."""
    text: str = page.evaluate("document.getElementById('queue').textContent")
    return int(text.split()[0]) if text else 0


def open_page(browser: Any, port: int, hall: dict[str, Any]) -> Page:
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{port}", viewport={"width": 1366, "height": 768}
    )
    person = hall["people"][0]
    context.add_cookies(
        [{"name": hall["cookie"], "value": person["session"], "url": f"http://127.0.0.1:{port}"}]
    )
    page: Page = context.new_page()
    page.add_init_script(PAINTED)
    page.goto(f"{hall['path']}round/1/results/")
    return page


def choose_keys(page: Page, name: str) -> None:
    """Choose the digits in the sheet of keys, as a person does."""
    page.keyboard.press("?")
    page.locator("#scheme").select_option(name)
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()


def written(boards: int, source: random.Random) -> list[tuple[int, str]]:
    """Return the results on the slips by board: two forfeits if there are enough boards, otherwise played games."""
    results = ["+:-", "-:+"][: boards // 10] + source.choices(list(FIVE), [40, 32, 28], k=boards)
    slips = results[:boards]
    source.shuffle(slips)
    return list(enumerate(slips, 1))


def main() -> None:
    """Run once and print the figures; exit with an error if a result is not stored as it was typed."""
    parser = argparse.ArgumentParser(description="Type a round by keyboard in a real browser.")
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--keys", choices=list(KEYS), default="evenboard")
    parser.add_argument("--shuffled", action="store_true")
    parser.add_argument("--latency", type=float, default=0)
    parser.add_argument("--cut", type=float, default=0)
    parser.add_argument("--reading", type=float, default=0.9)
    parser.add_argument("--key", type=float, default=0.18)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", action="store_true")
    options = parser.parse_args()
    source = random.Random(options.seed)
    slips = written(options.boards, source)
    if options.shuffled:
        source.shuffle(slips)
    with tempfile.TemporaryDirectory() as var, sync_playwright() as playwright:
        environment = {
            **os.environ,
            "VAR_DIR": var,
            "DATABASE_URL": "",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        hall = ask_database(environment, "prepare", options.boards, 1)
        collect(environment)
        server = KilledServer(free_port(), environment)
        server.start()
        try:
            server.wait()
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            page = open_page(browser, server.port, hall)
            network = page.context.new_cdp_session(page)
            network.send("Network.enable")
            if options.players:
                slow = {"latency": options.latency, "downloadThroughput": -1, "uploadThroughput": -1}
                network.send("Network.emulateNetworkConditions", {"offline": False, **slow})
                keys, seconds = type_players(page, hall["empty"])
                print(f"{len(PLAYERS)} players, {keys} keys: {seconds:.0f} s")
                return
            choose_keys(page, options.keys)
            typed = type_round(page, network, slips, options)
            browser.close()
        finally:
            server.kill()
        kept = ask_database(environment, "audit", hall["section"])
    stored = [kept["games"][str(game)][0] for game in hall["games"]]
    wrong = [board for board, result in slips if stored[board - 1] != result]
    rows = sum(row["action"] == "record_result" for row in kept["log"])
    print(
        f"{options.boards} results, {typed.keys} keys: {typed.typing:.0f} s,"
        f" and {typed.draining:.1f} s until all were saved"
    )
    print(
        f"a key is painted after {statistics.median(typed.painted):.0f} ms (median),"
        f" {max(typed.painted):.0f} ms (longest)"
    )
    print(
        f"longest queue {typed.longest_queue}; {rows} rows in the log; stored differently: {wrong or 'none'}"
    )
    sys.exit(bool(wrong) or rows != options.boards)


if __name__ == "__main__":
    main()
