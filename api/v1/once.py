"""A request that is sent twice is done once (Idempotency-Key)."""

from __future__ import annotations

import hashlib
import json

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.models import AccessToken, KeptAnswer

from .problems import Problem

HEADER = "Idempotency-Key"
LONGEST = 255
KEPT_HEADERS = ("ETag", "Location", "Content-Type")


def key_of(request: HttpRequest) -> str:
    """Return the key of a request. Raises Problem."""
    key = request.headers.get(HEADER, "")
    if not key:
        raise Problem(
            400,
            "idempotency_key_missing",
            _("Send the header Idempotency-Key with a new random text for each thing that you want done."),
        )
    if len(key) > LONGEST or not key.isprintable():
        raise Problem(
            400, "idempotency_key_wrong", _("An Idempotency-Key has at most 255 printable characters.")
        )
    return key


def fingerprint_of(request: HttpRequest) -> str:
    parts = (request.method or "", request.get_full_path(), request.body.hex())
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def claim(token: AccessToken, key: str, fingerprint: str) -> KeptAnswer:
    """Return the row for the answer to this request, in the transaction of the action. It has a status if it was done.

    Where two requests with one key come at the same time, the second one waits for the end of the first.
    Raises Problem if the key was used for something else.
    """
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(token=token, key=key, fingerprint=fingerprint)
    except IntegrityError:
        kept = KeptAnswer.objects.get(token=token, key=key)
    if kept.fingerprint != fingerprint:
        raise Problem(
            422,
            "idempotency_key_used",
            _("This Idempotency-Key was used for another request. Take a new one for each thing."),
        )
    return kept


def keep(kept: KeptAnswer, answer: HttpResponse) -> None:
    kept.status, kept.body = answer.status_code, answer.content.decode()
    kept.headers = {name: answer.headers[name] for name in KEPT_HEADERS if name in answer.headers}
    kept.save(update_fields=["status", "body", "headers"])


def again(kept: KeptAnswer) -> HttpResponse:
    """Return the answer that was given before."""
    headers = {**kept.headers, "Idempotency-Replayed": "true", "Cache-Control": "no-store"}
    return HttpResponse(kept.body, status=kept.status, headers=headers)
