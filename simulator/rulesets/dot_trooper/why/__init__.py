"""Why a unit cannot end there, and what would help: `drive` for vehicles, `foot` for troopers, `remedies` for both."""
