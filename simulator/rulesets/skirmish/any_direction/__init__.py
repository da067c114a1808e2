"""The option `traverse_direction: any_direction` (SK-23): a traverse leads across in a direction its player chooses.

The default, straight across from the nearest point, can be read without it. `far_sides` follows the places where such
traverses come down, all along the outline of an obstacle.
"""
