"""HEAD through a proxy: no body, so that the next visitor on the connection gets their own page.

Without a proxy: test_server.py.
"""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

from tests.house.serving import Start, caddy
from tests.waiting import LONG

pytestmark = pytest.mark.one_database


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("caddy") is None, reason="needs Caddy")
def test_head_through_a_proxy_spoils_no_answer_of_other_visitors(
    start: Start, root: Path, tmp_path: Path
) -> None:
    """The proxy shares its connections to the server between visitors."""
    server = start("--no-demo", PORT="0", TRUSTED_PROXY="127.0.0.1")
    with caddy((root / "docker" / "Caddyfile").read_text(), server.url, tmp_path) as port:

        def visit(number: int) -> list[object]:
            method = "HEAD" if number < 3 else "GET"
            line = HTTPConnection("127.0.0.1", port, timeout=LONG)
            wrong: list[object] = []
            for _ in range(60):
                try:
                    line.request(method, "/login/" if number % 2 else "/")
                    answer = line.getresponse()
                    page = answer.read()
                except HTTPException as error:
                    line.close()
                    wrong.append(error)
                else:
                    if answer.status != 200 or (method == "GET" and b"</html>" not in page):
                        wrong.append(answer.status)
            line.close()
            return wrong

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(visit, range(8))) == [[]] * 8
