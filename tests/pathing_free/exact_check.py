"""Whether a way is legal, worked out piece by piece in closed form: no code of the planner is used here."""

import math

TOUCH = 2e-8


def overlaps(way, obstacles, radius, contact=0.0):
    """What is wrong with a way, as texts; `contact` is how deep its start may overlap and count as touching."""
    wrong = []
    here = way.start
    for piece in way.pieces:
        if math.dist(here, piece.start) > 1e-6:
            wrong.append(f"{piece} does not begin at {here}")
        here = piece.end
        for x, y, base in obstacles.discs.tolist():
            if distance_to_point(piece, (x, y)) < base + radius - TOUCH - contact:
                wrong.append(f"{piece} cuts the base at {(x, y)}")
        for x1, y1, x2, y2 in obstacles.edges.tolist():
            if radius and distance_to_segment(piece, (x1, y1), (x2, y2)) < radius - TOUCH - contact:
                wrong.append(f"{piece} cuts the wall {(x1, y1, x2, y2)}")
            if not radius and properly_crosses(piece, (x1, y1), (x2, y2)):
                wrong.append(f"{piece} crosses the wall {(x1, y1, x2, y2)}")
        if obstacles.border is not None:
            left, low, right, high = obstacles.border
            for x, y in extremes(piece):
                if min(x - left, right - x, y - low, high - y) < radius - TOUCH - contact:
                    wrong.append(f"{piece} leaves the table")
    if math.dist(here, way.end) > 1e-6:
        wrong.append(f"the way stops at {here}, not at {way.end}")
    return wrong


def is_arc(piece):
    return hasattr(piece, "sweep")


def on_sweep(arc, angle):
    turned = (angle - arc.begin) if arc.sweep >= 0 else (arc.begin - angle)
    return turned % (2 * math.pi) <= abs(arc.sweep) + 1e-12


def at_angle(arc, angle):
    return arc.centre[0] + arc.radius * math.cos(angle), arc.centre[1] + arc.radius * math.sin(angle)


def extremes(piece):
    points = [piece.start, piece.end]
    if is_arc(piece):
        points += [at_angle(piece, q * math.pi / 2) for q in range(4) if on_sweep(piece, q * math.pi / 2)]
    return points


def point_to_segment(point, a, b):
    vx, vy = b[0] - a[0], b[1] - a[1]
    square = vx * vx + vy * vy
    share = 0.0 if square == 0 else ((point[0] - a[0]) * vx + (point[1] - a[1]) * vy) / square
    share = min(max(share, 0.0), 1.0)
    return math.dist(point, (a[0] + share * vx, a[1] + share * vy))


def distance_to_point(piece, point):
    if not is_arc(piece):
        return point_to_segment(point, piece.start, piece.end)
    candidates = [math.dist(piece.start, point), math.dist(piece.end, point)]
    angle = math.atan2(point[1] - piece.centre[1], point[0] - piece.centre[0])
    if on_sweep(piece, angle):
        candidates.append(abs(math.dist(piece.centre, point) - piece.radius))
    return min(candidates)


def side(a, b, point):
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def properly_crosses(piece, a, b):
    """Whether a straight piece gets from one side of a wall to the other, between its ends."""
    if is_arc(piece):
        return False
    p, q = piece.start, piece.end
    scale = max(math.dist(p, q), math.dist(a, b), 1e-9)
    sides = [side(a, b, p), side(a, b, q), side(p, q, a), side(p, q, b)]
    sides = [0.0 if abs(value) < 1e-9 * scale else value for value in sides]
    return sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0


def distance_to_segment(piece, a, b):
    if not is_arc(piece):
        p, q = piece.start, piece.end
        if side(a, b, p) * side(a, b, q) < 0 and side(p, q, a) * side(p, q, b) < 0:
            return 0.0
        return min(
            point_to_segment(p, a, b), point_to_segment(q, a, b), point_to_segment(a, p, q), point_to_segment(b, p, q)
        )
    candidates = [point_to_segment(piece.start, a, b), point_to_segment(piece.end, a, b)]
    candidates += [distance_to_point(piece, a), distance_to_point(piece, b)]
    # Squarely onto the wall from either side of the circle, and where the circle runs across the wall.
    length = math.dist(a, b)
    if length:
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        square = math.atan2(ux, -uy)
        for angle in (square, square + math.pi):
            if on_sweep(piece, angle):
                candidates.append(point_to_segment(at_angle(piece, angle), a, b))
        cx, cy = piece.centre[0] - a[0], piece.centre[1] - a[1]
        along, aside = cx * ux + cy * uy, ux * cy - uy * cx
        if abs(aside) < piece.radius:
            half = math.sqrt(piece.radius**2 - aside**2)
            for foot in (along - half, along + half):
                angle = math.atan2(uy * (foot - along) - ux * aside, ux * (foot - along) + uy * aside)
                if 0 <= foot <= length and on_sweep(piece, angle):
                    candidates.append(0.0)
    return min(candidates)
