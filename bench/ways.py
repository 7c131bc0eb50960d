"""Count what an arbiter types, presses and loads on six ways through a tournament: `python -m bench.ways`.

    --root FOLDER    the program in another folder, such as a worktree of an earlier commit

The ways are walked in Chromium. Where an earlier program has no such way, its shortest one is taken. A key is a
stroke, a press is a click or a tap, a load is a page that the browser asks for as a whole.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Locator, Page, Request, expect, sync_playwright

from bench.arbiters import ROOT, KilledServer, free_port
from bench.typist import PLAYERS
from tests.machine import find_chromium

PREPARE = """
import json, django
django.setup()
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from tournaments.models import User
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)
user = User.objects.create(username="chief", is_superuser=True, password="!")
session = SessionStore()
session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
print(json.dumps([settings.SESSION_COOKIE_NAME, session.session_key]))
"""
PATIENCE = 180_000  # milliseconds; what is counted does not depend on the speed of the machine
GUARDED = 2_200  # milliseconds; a button that has just come takes no key yet


@dataclass
class Hand:
    """Somebody at the keyboard and the mouse of a page, and what this person has done so far."""

    page: Page
    keys: int = 0
    presses: int = 0
    loads: int = 0
    ways: list[tuple[str, int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", self._asked)

    def _asked(self, request: Request) -> None:
        self.loads += request.is_navigation_request() and request.frame == self.page.main_frame

    def begin(self, path: str) -> None:
        self.page.goto(path, wait_until="networkidle")
        self.keys = self.presses = self.loads = 0

    def end(self, way: str) -> None:
        self.ways.append((way, self.keys, self.presses, self.loads))
        print(f"{way:<45}{self.keys:>6}{self.presses:>9}{self.loads:>7}", flush=True)

    def type(self, text: str, *then: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)
        for key in then:
            self.page.keyboard.press(key)
            self.keys += 1
        self.rest()

    def press(self, what: Locator) -> None:
        what.first.click()
        self.presses += 1
        self.rest()

    def into(self, name: str) -> None:
        """Go to a field, if the page has not put the focus there."""
        one = self.page.locator(f"[name={name}]:visible").first
        if not one.evaluate("(one) => one === document.activeElement"):
            self.press(one)

    def rest(self) -> None:
        self.page.wait_for_timeout(400)
        self.page.wait_for_load_state("networkidle")

    def has(self, what: str) -> bool:
        return self.page.locator(what).first.is_visible()

    def tab(self, *names: str) -> None:
        words = re.compile(rf"^\s*({'|'.join(names)})\s*$")
        self.press(self.page.locator(".groups a, .tabs a").filter(has_text=words))

    def where(self) -> list[str]:
        """Return the title and the black button; nothing while the page is being replaced."""
        try:
            return self.page.locator("main h1, main .btn.go:visible").all_inner_texts()
        except Error:
            return []

    def step(self, last: str = "") -> bool:
        """Press the black button by its key, or by the mouse where it has none, and wait for what it does. Return False
        instead if it is the last one.
        """
        black = self.page.locator("main :is(.btn.go, [data-key=Enter]):visible").first
        expect(black).to_be_enabled(timeout=PATIENCE)
        self.page.wait_for_timeout(GUARDED)
        if last and last in black.inner_text():
            return False
        was = self.where()
        if self.has("[data-key=Enter]") and not self.has("input[type=file]:focus"):
            self.type("", "Enter")
        else:
            self.press(self.page.locator("main .btn.go:visible"))
        for _again in range(100):
            if self.where() != was:
                break
            self.page.wait_for_timeout(200)
        self.rest()
        return True

    def steps(self) -> None:
        """Take the steps of the cockpit until results can be entered."""
        while self.step(last="Enter results"):
            pass


def walk(hand: Hand, entries: Path) -> None:
    """Walk the six ways, one after another."""
    page = hand.page
    hand.begin("/")
    hand.press(page.get_by_role("link", name="New event"))
    new_event(hand, "Spring Open")
    new_section(hand, "Open")
    hand.press(page.get_by_role("link", name="Import entries"))
    page.locator("input[type=file]").set_input_files(entries)
    hand.presses += 1
    for _page in ("the file", "the preview"):
        hand.step()
    hand.tab("Round", "Cockpit")
    hand.steps()
    hand.end("nothing to round 1 published, 61 players")

    hand.begin("/new/")
    new_event(hand, "Club")
    for name in ("Other", "Ten"):
        hand.begin("/club/-/new-section/")
        page.locator("[name=rounds]").fill("2")
        new_section(hand, name)
    hand.begin("/club/ten/entries/")
    for player in PLAYERS:
        add(hand, *player)
    hand.end("ten typed players")

    hand.begin("/club/ten/")
    hand.tab("Round", "Cockpit")
    hand.steps()
    hand.begin(page.url)
    hand.tab("Players" if hand.has(".groups") else "Entries")
    add(hand, "Later, Lars", 1500, 0, "NED")
    while hand.has("button:has-text('Give the new numbers')"):
        page.wait_for_timeout(GUARDED)
        hand.press(page.get_by_role("button", name="Give the new numbers"))
    expect(page.locator("main table").first).to_contain_text("Later, Lars")
    hand.end("a late entry")

    play(hand, 1)
    hand.tab("Round", "Cockpit")
    hand.steps()
    hand.begin(page.url)
    correct(hand)
    hand.end("a correction of round 1")

    play(hand, 2, but=1)
    hand.keys = hand.presses = hand.loads = 0
    hand.type("1")
    page.wait_for_timeout(GUARDED)
    hand.type("", "Enter")
    page.wait_for_url(re.compile("/(cockpit|desk)/"))
    hand.rest()
    archive = "#step-archive .btn, a[href*=archive]"
    if not hand.has(archive):
        hand.tab("Documents")
    with page.expect_download():
        hand.press(page.locator(archive))
    hand.end("the last result to the archive")

    hand.begin("/club/ten/")
    hand.tab("Round", "Cockpit")
    hand.begin(page.url)
    if hand.has(".groups"):
        hand.type("]")
    else:
        hand.press(page.locator(".where a"))
        hand.press(page.get_by_role("link", name="Other"))
        if hand.has(".tabs a:has-text('Cockpit')"):
            hand.tab("Cockpit")
    assert "/other/" in page.url, page.url
    hand.end("from section to section")


def new_event(hand: Hand, name: str) -> None:
    hand.into("name")
    hand.type(name)
    hand.into("city")
    hand.type("Rijswijk", "Tab")
    hand.type("NED", "Enter")


def new_section(hand: Hand, name: str) -> None:
    hand.into("name")
    whole = hand.page.get_by_role("button", name="Create section with these settings")
    hand.type(name, *(() if whole.is_visible() else ("Enter",)))
    if whole.is_visible():
        hand.press(whole)


def add(hand: Hand, name: str, fide: int, national: int, federation: str) -> None:
    hand.into("name")
    if hand.has("[name=official_rating]"):
        hand.type(name, "Tab", "Tab")
        hand.type(str(fide or ""), "Tab")
        hand.type(str(national or ""), "Tab")
    else:
        hand.type(name, "Tab")
        hand.type(str(fide or national), "Tab", "Tab")
    hand.type(federation, "Enter")


def play(hand: Hand, number: int, but: int = 0) -> None:
    """Type a win of White on each open board, except the last `but`."""
    hand.begin(f"/club/ten/round/{number}/results/")
    boards = hand.page.locator("select.res").count() or 5
    for _board in range(boards - but):
        hand.type("1")


def correct(hand: Hand) -> None:
    page = hand.page
    if hand.has(".groups"):
        hand.tab("Pairings")
        hand.type(",")
    else:
        hand.tab("Results")
        hand.press(page.locator(".rounds a").filter(has_text="1"))
        hand.press(page.locator("main a").filter(has_text="Corrections"))
    hand.press(page.locator("a[href$='/round/1/corrections/3/']"))
    if hand.has("select[name=result]"):
        page.locator("select[name=result]").select_option("0-1")
        hand.presses += 2
    else:
        hand.press(page.locator("label:has([name=result][value='0-1'])"))
    hand.into("reason")
    hand.type("slip read again", "Enter")
    hand.press(page.get_by_role("button", name="Correct the result"))


def main() -> None:
    """Walk and print the counts."""
    parser = argparse.ArgumentParser(description="Count keys, presses and loads on six ways.")
    parser.add_argument("--root", type=Path, default=ROOT)
    root = parser.parse_args().root.resolve()
    with tempfile.TemporaryDirectory() as var, sync_playwright() as playwright:
        own = {"VAR_DIR": var, "DATABASE_URL": "", "DJANGO_SETTINGS_MODULE": "config.settings"}
        environment = {**os.environ, **own}
        command = [sys.executable, "-c", PREPARE]
        done = subprocess.run(command, env=environment, cwd=root, check=True, stdout=subprocess.PIPE)
        name, value = json.loads(done.stdout.splitlines()[-1])
        entries = Path(var, "entries.csv")
        rows = (
            f'"Player{chr(65 + n // 26)}{chr(97 + n % 26)}, Given",{2400 - 13 * n},NED' for n in range(61)
        )
        entries.write_text("\n".join(["Name,Rating,Fed", *rows]))
        server = KilledServer(free_port(), environment, root=root)
        server.start()
        try:
            server.wait()
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            url = f"http://127.0.0.1:{server.port}"
            context = browser.new_context(base_url=url, viewport={"width": 1366, "height": 768})
            context.set_default_timeout(PATIENCE)
            context.add_cookies([{"name": name, "value": value, "url": url}])
            print(f"{'':<45}{'keys':>6}{'presses':>9}{'loads':>7}")
            walk(Hand(context.new_page()), entries)
            browser.close()
        finally:
            server.kill()


if __name__ == "__main__":
    main()
