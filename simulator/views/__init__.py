"""Pictures: SVG written by hand, PNG made from it. Knows no rules: it is told what to draw.

Read `board_picture.py` first: the frame of every picture; `ground_*.py` draw one kind of board each.
"""
