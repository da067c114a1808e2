"""Why a soldier can not end there: `reasons` names every clause in the way, `remedies` what would help."""
