"""All public pages of a section are near each other, at addresses that stay."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.test import Client

from tests.web.public.conftest import MadeSection

PAGES = (
    *("pairings/", "round/1/pairings/", "round/2/pairings/", "round/2/names/", "results/", "results/1/"),
    *("standings/", "standings/1/", "standings/2/1/", "aro/", "aro/2/", "crosstable/", "fairness/"),
    *("players/", "players/1/"),
)


def test_every_page_leads_to_every_other_in_two_taps_by_addresses_without_volatile_parts(
    six: MadeSection, client: Client
):
    """The only parameters are the order of a list, and the page after a login."""

    @cache
    def links(page: str) -> frozenset[str]:
        content = client.get(page).content.decode()
        return frozenset(
            urljoin(page, address) for address in re.findall(r'<a[^>]*? href="([^"]*)"', content)
        )

    def plain(addresses: frozenset[str]) -> frozenset[str]:
        return frozenset(urlsplit(address).path for address in addresses)

    def is_page(path: str) -> bool:
        return path.startswith(six.url) and "/print/" not in path and not path.endswith(".csv")

    wanted = {six.url + page for page in PAGES}
    for page in wanted:
        near = plain(links(page))
        reached = near.union(*(plain(links(other)) for other in near if is_page(other) and other in wanted))
        assert wanted - reached <= {page}
        parameters = {name for each in links(page) for name, _value in parse_qsl(urlsplit(each).query)}
        assert parameters <= {"by", "next", "player"}
