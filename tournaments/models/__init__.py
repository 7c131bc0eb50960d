from .action_log import ActionLog, Integrity
from .bye import Bye
from .event import Event, EventRole
from .forbidden_pair import ForbiddenPair
from .game import Game
from .participant import Participant, RatingSource
from .player import Player, Sex, Title
from .round import Round
from .schedule import RoundStart
from .tournament import Tournament
from .user import User

__all__ = [
    "ActionLog",
    "Bye",
    "Event",
    "EventRole",
    "ForbiddenPair",
    "Game",
    "Integrity",
    "Participant",
    "Player",
    "RatingSource",
    "Round",
    "RoundStart",
    "Sex",
    "Title",
    "Tournament",
    "User",
]
