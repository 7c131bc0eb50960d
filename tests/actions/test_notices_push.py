"""Messages for browsers: encryption by the example of RFC 8291, signatures by RFC 8292, and no unknown addresses."""

from __future__ import annotations

import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.conf import settings

from tournaments import push_messages
from tournaments.push_messages import (
    CURVE,
    Receiver,
    Sender,
    decoded,
    encrypted,
    is_known,
    public_key,
    receiver,
    signing_key,
)

POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
GOOGLE = "https://fcm.googleapis.com/fcm/send/abc"


def test_a_message_is_encrypted_as_in_the_example_of_rfc_8291_section_5() -> None:
    sender = ec.derive_private_key(
        int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), CURVE
    )
    to = Receiver(GOOGLE, decoded(POINT), decoded(SECRET))
    text = b"When I grow up, I want to be a watermelon"
    assert encrypted(text, to, salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"), sender=sender) == decoded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
        "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@pytest.mark.parametrize(
    "endpoint",
    [
        GOOGLE,
        "https://fcm.googleapis.com:443/x",
        "https://web.push.apple.com/x",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://wns2-par02p.notify.windows.com/w/?token=x",
    ],
)
def test_push_services_of_browsers_are_known(endpoint: str) -> None:
    assert is_known(endpoint, settings.PUSH_SERVICES)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://localhost/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evilfcm.googleapis.com/x",
        "https://evilnotify.windows.com/x",
        "https://notify.windows.com/x",
        "https://fcm.googleapis.com@127.0.0.1/x",
        "https://127.0.0.1\\@fcm.googleapis.com/x",
        "https://user@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com:none/x",
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\r\nHost: x",
        "https://fcm.googleapis.com/" + "x" * 500,
        "//fcm.googleapis.com/x",
        "",
    ],
)
def test_other_addresses_are_not(endpoint: str) -> None:
    assert not is_known(endpoint, settings.PUSH_SERVICES)


def test_keys_that_no_browser_has_are_refused() -> None:
    assert receiver(GOOGLE, POINT, SECRET, settings.PUSH_SERVICES) is not None
    for point, secret in ((POINT[:-4], SECRET), (POINT, "AAAA"), ("B" * 87, SECRET), ("", ""), ("ä", SECRET)):
        assert receiver(GOOGLE, point, secret, settings.PUSH_SERVICES) is None


class Service:
    """A push service: notes what it is sent, and answers with a status."""

    requests: list[tuple[str, str, dict[str, str]]]

    def __init__(self, host: str, timeout: float) -> None:
        self.host = host
        assert 0 < timeout <= 30

    def request(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> None:
        assert method == "POST"
        assert body
        Service.requests.append((self.host, path, headers))

    def getresponse(self) -> Service:
        return self

    status = 201

    def read(self) -> bytes:
        return b""

    def close(self) -> None:
        pass


def test_messages_share_a_connection_and_one_that_the_service_has_closed_is_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    breaks = {2, 4, 5}  # requests that find the connection closed

    class Line(Service):
        def request(self, *_message: object) -> None:
            done.append("request")
            if done.count("request") in breaks:
                raise ConnectionResetError

        def close(self) -> None:
            done.append("close")

    monkeypatch.setattr(push_messages, "HTTPSConnection", Line)
    sender = Sender("s", "mailto:a@b.c", settings.PUSH_SERVICES)
    to = Receiver(GOOGLE, decoded(POINT), decoded(SECRET))
    assert [sender.send(b"text", to, "t") for _ in range(2)] == [201, 201]
    assert done == ["request", "request", "close", "request"]
    assert sender.send(b"text", to, "t") == 0, "it is tried again only once"
    sender.close()
    assert done[4:] == ["request", "close", "request", "close", "close"]


def test_the_server_signs_its_requests_for_each_service(monkeypatch: pytest.MonkeyPatch) -> None:
    Service.requests = []
    monkeypatch.setattr(push_messages, "HTTPSConnection", Service)
    sender = Sender("a secret", "mailto:ada@example.org", settings.PUSH_SERVICES)
    to = Receiver(f"{GOOGLE}?a=1", decoded(POINT), decoded(SECRET))
    assert sender.send(b"text", to, "section-1") == 201
    ((host, path, headers),) = Service.requests
    assert (host, path) == ("fcm.googleapis.com", "/fcm/send/abc?a=1")
    assert {name: headers[name] for name in ("Content-Encoding", "TTL", "Topic")} == {
        "Content-Encoding": "aes128gcm",
        "TTL": "3600",
        "Topic": "section-1",
    }
    scheme, token, key = headers["Authorization"].replace(",", "").split()
    assert (scheme, key) == ("vapid", f"k={public_key('a secret')}")
    head, claims, signature = token.removeprefix("t=").split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    about = json.loads(decoded(claims))
    assert (about["aud"], about["sub"]) == ("https://fcm.googleapis.com", "mailto:ada@example.org")
    both = decoded(signature)
    numbers = int.from_bytes(both[:32], "big"), int.from_bytes(both[32:], "big")
    public = signing_key("a secret").public_key()
    public.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))


def test_an_address_that_is_no_longer_allowed_gets_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    Service.requests = []
    monkeypatch.setattr(push_messages, "HTTPSConnection", Service)
    to = Receiver("https://127.0.0.1/x", decoded(POINT), decoded(SECRET))
    assert Sender("s", "mailto:a@b.c", settings.PUSH_SERVICES).send(b"text", to, "t") == 410
    assert Service.requests == []
