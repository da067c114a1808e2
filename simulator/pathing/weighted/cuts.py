"""Where circles, straight lines and borders meet."""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import join


def circle_cuts(circles: FloatArray, segments: FloatArray) -> tuple[IntArray, FloatArray]:
    """Find where segments meet circles, rows x, y, radius: the circles and the angles, in radians, on them."""
    step = segments[:, 2:] - segments[:, :2]
    long = np.hypot(*step.T)
    ux, uy = (step / np.where(long > 0.0, long, 1.0)[:, None]).T
    from_x, from_y = circles[:, :1] - segments[:, 0], circles[:, 1:2] - segments[:, 1]
    ahead, off = ux * from_x + uy * from_y, ux * from_y - uy * from_x
    square = circles[:, 2:] ** 2 - off**2
    circle, segment = np.nonzero(square >= 0.0)
    half = np.sqrt(square[circle, segment])
    found = []
    for inches in (ahead[circle, segment] - half, ahead[circle, segment] + half):
        met = (inches >= -TOUCH) & (inches <= long[segment] + TOUCH)
        some, line = circle[met], segment[met]
        away = segments[line, :2] + inches[met, None] * np.stack([ux[line], uy[line]], axis=1) - circles[some, :2]
        found.append((some, np.arctan2(away[:, 1], away[:, 0])))
    return join(found)


def circle_meetings(circles: FloatArray, others: FloatArray) -> tuple[IntArray, FloatArray]:
    """Find where circles meet other circles: the circles and the angles, in radians, on them."""
    x, y = others[:, 0] - circles[:, :1], others[:, 1] - circles[:, 1:2]
    apart = np.hypot(x, y)
    own, other = circles[:, 2:], others[:, 2]
    circle, at = np.nonzero((apart > TOUCH) & (apart <= own + other) & (apart >= np.abs(own - other)))
    apart, radius, beyond = apart[circle, at], circles[circle, 2], others[at, 2]
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = (apart**2 + radius**2 - beyond**2) / (2.0 * apart * radius)
    half = np.arccos(np.clip(cosine, -1.0, 1.0))
    towards = np.arctan2(y[circle, at], x[circle, at])
    return np.concatenate([circle, circle]), np.concatenate([towards - half, towards + half])
