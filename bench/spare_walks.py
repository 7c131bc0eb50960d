"""More walks with a server and its spare: `python -m bench.spare_walks WALK`.

address     results typed in Chromium while no server answers reach the spare, which has the address of the first one
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bench.arbiters import PATIENCE, TOKEN, ask_database
from bench.spare import Machines, SpareReport, machines


def address(boards: int, migrated: Path | None = None) -> SpareReport:
    """Type results in Chromium; kill the first server, type on, and let the spare take over at the same address."""
    from playwright.sync_api import expect, sync_playwright

    from tests.machine import find_chromium

    report = SpareReport()
    with machines(boards, migrated) as pair, sync_playwright() as playwright:
        site = pair.address
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        context = browser.new_context(base_url=site)
        cookies = {pair.hall["cookie"]: pair.hall["people"][0]["session"], "csrftoken": TOKEN}
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies.items()])
        page = context.new_page()
        page.goto(f"{pair.hall['path']}round/1/results/")
        page.keyboard.type("15")
        expect(page.locator("#queue")).to_be_hidden()
        _wait(lambda: f"2 of {boards}" in _page_of(pair), "the spare does not get two results")
        pair.first.kill()
        page.keyboard.type("010")
        expect(page.locator("#queue")).to_contain_text("3 kept only in this browser", timeout=PATIENCE * 1000)
        pair.spare.kill()
        pair.spare.port = pair.first.port
        pair.spare.start(site)
        secret = pair.spare.page()
        time.sleep(3.0)  # the browser tries again, and meets a spare
        waiting = page.locator("#queue").inner_text()
        if "3 kept only in this browser" not in waiting:
            report.faults.append(f"at a spare that has not taken over: {waiting}")
        taking = context.new_page()
        taking.goto(secret)
        taking.get_by_role("button", name="Take over").click()
        expect(taking.get_by_role("heading", level=1)).to_have_text("This computer has taken over")
        if "is missing here" not in taking.locator("main").inner_text():
            report.faults.append("the page does not say what is missing")
        began = time.monotonic()
        expect(page.locator("#queue")).to_be_hidden(timeout=PATIENCE * 1000)
        report.served = time.monotonic() - began
        page.keyboard.type("5")
        expect(page.locator("#queue")).to_be_hidden()
        context.close()
        browser.close()
        games = ask_database(pair.spare.environment, "audit", pair.hall["section"])["games"]
        found = [games[str(game)][0] for game in pair.hall["games"][:6]]
        if found != ["1-0", "1/2", "0-1", "1-0", "0-1", "1/2"]:
            report.faults.append(f"the results at the spare: {found}")
        report.acknowledged = 6
    return report


def _page_of(pair: Machines) -> str:
    from bench.spare import ask

    return " ".join(ask(pair.spare.port, "GET", pair.spare.page())[1].split())


def _wait(is_so: Callable[[], bool], problem: str, seconds: float = PATIENCE) -> float:
    """Wait, and return how many seconds it took."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() > began + seconds:
            raise TimeoutError(problem)
        time.sleep(0.1)
    return time.monotonic() - began


WALKS = {"address": address}


def main() -> None:
    """Walk and print the figures; exit with an error if something happened that must not."""
    parser = argparse.ArgumentParser(description="A server and its spare.")
    parser.add_argument("walk", choices=WALKS)
    parser.add_argument("--boards", type=int, default=40)
    options = parser.parse_args()
    report = WALKS[options.walk](options.boards)
    print(report)
    sys.exit(bool(report.faults))


if __name__ == "__main__":
    main()
