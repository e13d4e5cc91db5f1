"""Liar's Dice for the savanna arena: hidden dice, rising bids, and a challenge."""

from liars_dice.game import LiarsDice

__all__ = ["LiarsDice"]
