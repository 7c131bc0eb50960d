"""Every address of a section that answers a GET, and the words on its pages, sheets, files and in the API."""

from __future__ import annotations

import gzip
import io
import re
import zipfile

from django.db import transaction
from django.test import Client

from tests.web.test_access import TABLE, Address, addresses
from tournaments.models import Section
from web.views.public.paper import DOCUMENTS
from web.views.public.programs import LIST_FILES
from web.views.staff import reports

OTHER_SYSTEM = re.compile(r"dubov|C\.04\.4\.1", re.IGNORECASE)
ARO = re.compile(r"\bAROs?\b|average ratings? of (?:the |all )?opponents", re.IGNORECASE)
NAMES_OTHERS = ("/compare/", "/compare.", "/engine.pyz")
"""In the addresses that compare pairing systems, and in that of the engine, which has all systems."""
OFFERS_ARO = ("tie-breaks/", "fairness")
"""In addresses that speak of ARO in every section: it can be chosen as a tie-break, or is what is measured."""
CHOICE = re.compile(
    r'<fieldset class="systems">.*?</fieldset>|<input[^>]* name="seen"[^>]*>|^### Fairness, [^\r\n]*',
    re.DOTALL | re.MULTILINE,
)
"""The choice of the pairing system, which names all systems; values that the form shows; measures in reports."""


def words_found(
    client: Client, section: Section, *words: re.Pattern[str], post: bool = False
) -> dict[str, object]:
    """Return the addresses on which some of these words are, with the words; and those that fail, with the status.

    Round 2 must be paired. The client may do everything. post: send an empty form to each address that takes one.
    """
    answers: dict[str, object] = {}
    for address in every_address(section):
        opens, sends = TABLE.get(address.name, ("read", ""))
        for send in [client.get] * bool(opens) + [client.post] * bool(sends and post):
            with transaction.atomic():
                answer = send(address.path)
                content = b"".join(answer.streaming_content) if answer.streaming else answer.content
                transaction.set_rollback(True)
            # Links to other languages repeat the address that was asked for, also on the page of a missing one.
            text = CHOICE.sub("", unpacked(content).decode(errors="replace")).replace(address.path, "")
            of_aro = any(part in address.path for part in OFFERS_ARO)
            sought = [pattern for pattern in words if pattern is not ARO or not of_aro]
            hits = [found for pattern in sought for found in pattern.findall(text)]
            if answer.status_code >= 500 or hits:
                answers[f"{send.__name__} {address.path}"] = hits or answer.status_code
    return answers


def unpacked(content: bytes) -> bytes:
    """Return the text of a gzip file or a workbook: its packed bytes can look like any short word."""
    if content.startswith(b"\x1f\x8b"):
        return gzip.decompress(content)
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            names = [name for name in packed.namelist() if not any(part in name for part in OFFERS_ARO)]
            return b"\n".join(packed.read(name) for name in names)
    return content


def every_address(section: Section) -> list[Address]:
    base = f"/{section.event.slug}/{section.slug}/"
    tpns = [*section.participants.values_list("tpn", flat=True)]
    found = [
        one
        for one in addresses(section, bye_round=max(section.rounds, 5) + 1)
        if one.path.startswith(base) and not any(part in one.path for part in NAMES_OTHERS)
    ]
    for kind, names in (
        ("print/{}/", DOCUMENTS),
        ("print/{}/1/", DOCUMENTS),
        ("lists/{}.csv", LIST_FILES),
        ("lists/1/{}.csv", LIST_FILES),
        ("lists/{}.xlsx", LIST_FILES),
        ("csv/{}/", reports.LISTS),
    ):
        found += [Address(kind, base + kind.format(name)) for name in names]
    for rest in ("players/{}/", "round/1/why/{}/", "round/2/why/{}/", "round/2/why/{}/?other=1"):
        found += [Address(rest, base + rest.format(tpn)) for tpn in tpns]
    for rest in ("", "entries/", "standings/", "list/", "fairness/", "rounds/1/", "rounds/2/explained/"):
        found.append(Address("api", f"/api/v1/public/sections/{section.pk}/{rest}"))
    for show in ("boards", "names", "standings"):
        found.append(Address("screen", f"{base}screen/?show={show}"))
    return found
