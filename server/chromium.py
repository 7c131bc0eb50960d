"""Find the Chromium of this computer, which prints pages into files. Uses only the standard library."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

CHROMIUM_NAMES = (
    "chromium-headless-shell",  # half the time: the others also start processes for the browser's window
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
CHROMIUM_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
)


def find_chromium() -> Path | None:
    """Return the Chromium (its headless shell, Chrome, Edge) named by CHROMIUM, on the PATH, or in its usual place."""
    if named := os.environ.get("CHROMIUM"):
        return Path(named)
    for name in CHROMIUM_NAMES:
        if found := shutil.which(name):
            return Path(found)
    return next(
        (path for place in CHROMIUM_PLACES if (path := Path(os.path.expandvars(place))).is_file()), None
    )
