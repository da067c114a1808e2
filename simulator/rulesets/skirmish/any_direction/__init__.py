"""The option `traverse_direction: any_direction` (SK-23): a traverse leads across wherever its player likes.

The default, straight across from the nearest point, is read without it. `far_sides` follows those that can be
come down on, all along the outline of an obstacle.
"""
