from __future__ import annotations

from django.db import models

from .section import Section


class CopyProof(models.Model):
    """The newest test restore of a copy on this machine.

    name: of the file. changed_ns: when the file was written, in nanoseconds, so that another file is proved again.
    fault: "" if the restored section is the copied one, else why not (`tournaments.actions.proofs`). detail: more.
    with_section: it was also compared with the section itself, which had not changed since the copy.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="copy_proofs")
    name = models.CharField(max_length=120)
    changed_ns = models.BigIntegerField()
    at = models.DateTimeField()
    fault = models.CharField(max_length=40, blank=True)
    detail = models.CharField(max_length=300, blank=True)
    with_section = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["section", "name"], name="one_proof_a_copy"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.fault or 'proved'}"


class Chore(models.Model):
    """Work that the program does by itself. Of several processes, one at a time does it.

    holder, until: the process that does it now, and until when no other process takes over. asked_at: when somebody
    asked for it. done_at: the last time without a failure. error, error_at: the last failure, "" after a success.
    place: the directory that it writes to.
    """

    name = models.CharField(max_length=40, primary_key=True)
    holder = models.CharField(max_length=80, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)
    error_at = models.DateTimeField(null=True, blank=True)
    place = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return self.name


class ServerClock(models.Model):
    """What the server knows of its own clock, in one row (`tournaments.actions.server_clock`).

    seen_at: the time at the last look. doubted_from: the last time before a jump of the clock that nobody has
    confirmed. ran: for how many seconds the server has run since.
    """

    ONLY = 1

    seen_at = models.DateTimeField()
    doubted_from = models.DateTimeField(null=True, blank=True)
    ran = models.FloatField(default=0)

    def __str__(self) -> str:
        return f"{self.seen_at}"
