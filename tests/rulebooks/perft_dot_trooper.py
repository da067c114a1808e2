"""Counts of distinct end states by AP, split by what is done: the public proof of the rulebook, on small boards."""

from dt_games import bike, centred, game, random_map, trooper

BOARDS = {
    "open": centred(6),
    "pillars": centred(6, special=[((2, 0), {"impassable": True}), ((-1, 2), {"impassable": True})]),
    "yard 11": random_map(11, 5, share=0.05),
    "yard 12": random_map(12, 5, share=0.08),
    "hills": random_map(16, 5, share=0.05, levels=True),
    "town": random_map(21, 5, share=0.05, buildings=True),
}


def start_of(board):
    """The first free pose by rows, looking east."""
    for q, r in board.places():
        rear = (q - 1, r)
        is_near = max(abs(q), abs(r), abs(q + r)) <= 2
        open_ = rear in board and not any(board.impassable[board.index(dot)] for dot in ((q, r), rear))
        if is_near and open_ and _is_joined(board, rear, (q, r)):
            return q, r
    raise AssertionError("no room in the middle of this board")


def _is_joined(board, a, b):
    closed = any({edge.a, edge.b} == {a, b} and edge.kind in ("wall", "window") for edge in board.edges)
    return not closed and board.level[board.index(a)] == board.level[board.index(b)]


def counts():
    """Give, for each board and action, how many distinct ends take how many AP."""
    found = {}
    for name, board in BOARDS.items():
        front = start_of(board)
        level = int(board.level[board.index(front)])
        for kind in ("scout", "assault"):
            for motion in ("moving", "stopped"):
                units = bike(place=front, motion=motion, level=level, **{"class": kind})
                reach = game(units, board).reach("A1", "drive")
                by_ap = {}
                for totals in reach.totals.values():
                    for ap in totals:
                        by_ap[ap] = by_ap.get(ap, 0) + 1
                found[f"{name}: drive {kind} {motion}"] = {ap: by_ap[ap] for ap in sorted(by_ap)}
        walker = game([trooper("A1", "red", front, level=level, jet_pack="worn")], board)
        for action in ("foot_move", "activate_jet_pack", "turn"):
            by_ap = {}
            for ap in walker.reach("A1", action).levels.values():
                by_ap[ap] = by_ap.get(ap, 0) + 1
            found[f"{name}: {action}"] = {ap: by_ap[ap] for ap in sorted(by_ap)}
    return found


def as_text():
    """Write the counts as the file that keeps them."""
    lines = ["# Distinct ends by AP, for each board and action. Written by tests/rulebooks/perft_dot_trooper.py."]
    for name, by_ap in counts().items():
        shown = ", ".join(f"{ap}: {count}" for ap, count in by_ap.items())
        lines.append(f'"{name}": {{{shown}}}')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(as_text(), end="")
