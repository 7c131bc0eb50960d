"""Measure a phone on a slow network: `python -m bench.phone [--runs 5]`.

A Chromium of 360 x 740 with a slowed network opens the address of the code on the wall. The section has 201 players and
is in its sixth round. Prints, for each network, the seconds until a visitor sees the list with its styles, until the
list can be searched (the found row has the own board), until a tap on the found name has opened the own card, and, on
a later visit, until the device shows the own board. Typing is not counted. Caddy is in front, as in docker-compose.yml;
without it (--direct) the server speaks an older HTTP, which sends six files at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from bench.servers import running
from tests.house.serving import caddy
from tests.machine import find_chromium

ROOT = Path(__file__).resolve().parent.parent
PLAYERS, ROUNDS = 201, 5
PHONE = ViewportSize(width=360, height=740)
NETWORKS = {
    # name: bytes in a second down and up, milliseconds until an answer begins
    "1.6 Mbit/s, 150 ms": (200_000, 93_750, 150),
    "Fast 3G of Chromium (1.44 Mbit/s, 563 ms)": (180_000, 84_375, 562.5),
    "Slow 3G of Chromium (0.4 Mbit/s, 2,000 ms)": (50_000, 50_000, 2000),
}

SEARCH = """() => {
  const field = document.querySelector("#q");
  const type = (text) => { field.value = text; field.dispatchEvent(new Event("input")); };
  type("a name that nobody has");
  const searches = document.querySelector("tr[data-player]").hidden;
  type("");
  return searches && performance.getEntriesByName("first-contentful-paint").length > 0;
}"""


def main() -> None:
    """Measure each network and print a row of the table for it."""
    parser = argparse.ArgumentParser(description="Measure a phone on a slow network.")
    parser.add_argument("--runs", type=int, default=5, help="of each visit; the middle one counts")
    parser.add_argument("--direct", action="store_true", help="without Caddy in front")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        environment = {
            **os.environ,
            "VAR_DIR": str(Path(directory) / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
        }
        prepare = [sys.executable, "-m", "bench.public_pages_database", str(PLAYERS), str(ROUNDS)]
        made = subprocess.run(prepare, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE)
        path = json.loads(made.stdout.splitlines()[-1])["path"]
        command = [sys.executable, "-m", "server.main", "--only-serve", "--port=PORT"]
        with running(command, environment) as (port, _process), sync_playwright() as playwright:
            arguments = ["--no-sandbox", "--ignore-certificate-errors"]
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
            with ExitStack() as parts:
                site = f"http://127.0.0.1:{port}"
                if not options.direct:
                    config = (ROOT / "docker" / "Caddyfile").read_text()
                    proxy = caddy(config, site, Path(directory), "https://localhost")
                    site = f"https://localhost:{parts.enter_context(proxy)}"
                measure(browser, f"{site}{path}pairings/", options.runs)
            browser.close()


def measure(browser: Browser, address: str, runs: int) -> None:
    """Print a row for each network. Times are medians in seconds."""
    print(
        "| Network | First visit: the list | my board can be found | a tap: my card | Later visit: my board |"
    )
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, network in NETWORKS.items():
        times = list(zip(*(one_phone(browser, address, network) for _ in range(runs)), strict=True))
        print(
            f"| {name} | " + " | ".join(f"{statistics.median(each):.2f}" for each in times) + " |", flush=True
        )


def one_phone(
    browser: Browser, address: str, network: tuple[float, float, float]
) -> tuple[float, float, float, float]:
    """Return the seconds until the list is painted, until it can be searched, of a tap, and of a later visit."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, ignore_https_errors=True)
    page = slowed(context.new_page(), network)
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector("tr[data-player]")
    while not page.evaluate(SEARCH):
        time.sleep(0.02)
    found = time.perf_counter() - began
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime") / 1000
    page.wait_for_load_state("load")
    name = page.locator("tr[data-player] .nm a").nth(60).inner_text()
    page.get_by_role("searchbox").tap()
    page.get_by_role("searchbox").fill(name)
    card = page.get_by_role("link", name=name, exact=True).locator("visible=true").first
    began = time.perf_counter()
    card.tap(no_wait_after=True)
    page.wait_for_selector("main .me b", state="visible")
    tapped = time.perf_counter() - began
    page.get_by_role("button", name="This is me").tap()
    page.close()
    page = slowed(context.new_page(), network)  # the day after: files are in the cache of the browser
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector("main .me b", state="visible")
    later = time.perf_counter() - began
    context.close()
    return painted, found, tapped, later


def slowed(page: Page, network: tuple[float, float, float]) -> Page:
    """Slow the network of the page down."""
    down, up, latency = network
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    conditions = {"offline": False, "downloadThroughput": down, "uploadThroughput": up, "latency": latency}
    session.send("Network.emulateNetworkConditions", conditions)
    return page


if __name__ == "__main__":
    main()
