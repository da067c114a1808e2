"""Movement in tabletop wargames, on inch tables, hex-dot maps and square grids."""
