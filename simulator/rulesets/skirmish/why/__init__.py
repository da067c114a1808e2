"""Why a soldier cannot end there: `reasons` lists every clause in the way, `remedies` what would help."""
