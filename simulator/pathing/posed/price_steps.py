"""What every length of many rays costs: steps, from each of which on the price of a ray grows evenly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import HAIR, SLACK, TOUCH


class Steps(NamedTuple):
    """Steps of rays in order, the first of each ray at its beginning."""

    ray: IntArray
    begin: FloatArray
    fixed: FloatArray  #: what is paid as soon as the step begins
    slope: FloatArray  #: what each inch of it costs besides
    sudden: BoolArray  #: whether something is met there and paid for at once


@dataclass(frozen=True, eq=False)
class PriceSteps:
    """The prices of all lengths of rays."""

    steps: Steps
    longest: float  #: no ray is longer
    by_pieces: bool  #: whether pieces of a grain are paid whole as soon as they are begun

    @cached_property
    def _apart(self) -> float:
        """What tells rays apart in one ascending row of floats: more than any of them is long."""
        return float(2.0 ** np.ceil(np.log2(max(self.longest, 1.0) + 2.0)))

    @cached_property
    def _keys(self) -> FloatArray:
        return self.key_of(self.steps.ray, self.steps.begin)

    def key_of(self, ray: IntArray, inches: FloatArray) -> FloatArray:
        """Return numbers that are in order as places are along one ray after the other."""
        return np.asarray(ray * self._apart + inches)

    def prices_at(self, ray: IntArray, inches: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what is paid by places on rays, and how much it grows there with each inch.

        Nothing is paid for rays without steps: what bars them does so where they begin.
        """
        own, begin, fixed, slope, _ = self.steps
        if not len(own):
            return np.zeros(len(ray)), np.zeros(len(ray))
        at = self._steps_at(ray, inches)
        leads = own[at] == ray
        return np.where(leads, fixed[at] + (inches - begin[at]) * slope[at], 0.0), np.where(leads, slope[at], 0.0)

    def _steps_at(self, ray: IntArray, inches: FloatArray) -> IntArray:
        """The steps that places on rays lie in; of another ray where a ray has none."""
        own, begin = self.steps.ray, self.steps.begin
        at = np.maximum(np.searchsorted(self._keys, self.key_of(ray, inches), side="right") - 1, 0)
        # Keys are rounded, the more the higher the number of the ray: what begins just there is decided without them.
        after = np.minimum(at + 1, len(own) - 1)
        at = np.where((own[after] == ray) & (begin[after] <= inches) & (after > at), after, at)
        before = np.maximum(at - 1, 0)
        return np.where((own[before] == ray) & (begin[at] > inches), before, at)

    def prices(self, ray: IntArray, inches: FloatArray) -> FloatArray:
        """Compute what lengths of rays cost."""
        # What begins just there is not reached; but before the first step is another ray.
        reached = np.maximum(inches - SLACK, 0.0) if self.by_pieces else inches
        found, slope = self.prices_at(ray, reached)
        if self.by_pieces:
            found += (inches - reached) * slope
        if self.by_pieces or self.steps.sudden.any():
            # No leg, no price.
            found = np.where(inches <= TOUCH, 0.0, found)
        return np.asarray(found)

    def lengths_for(self, prices: FloatArray, free: FloatArray) -> FloatArray:
        """Compute how much of each ray its price pays for, no more than is free."""
        ray, begin, fixed, slope, sudden = self.steps
        left = prices[ray] + SLACK
        reached = fixed <= left
        with np.errstate(divide="ignore", invalid="ignore"):
            covered = np.where(slope > 0.0, begin + np.maximum(left - fixed, 0.0) / slope, np.inf)
        # A step is gone to its end, where the next begins, unless its price ends before. What is met there and cannot
        # be paid for is not met yet.
        same = np.r_[ray[1:] == ray[:-1], False]
        upto = np.where(same, np.r_[begin[1:] - np.where(sudden[1:], HAIR / 2, 0.0), 0.0], free[ray])
        longest = np.zeros(len(free))
        np.maximum.at(longest, ray[reached], np.minimum(upto, covered)[reached])
        return np.minimum(longest, free)
