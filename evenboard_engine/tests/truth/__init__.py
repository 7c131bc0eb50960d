"""What each sentence of the explanation says about a round. The modules register a check for each sentence."""

from evenboard_engine.tests.truth import brackets, colours, members, two_players

__all__ = ["brackets", "colours", "members", "two_players"]
