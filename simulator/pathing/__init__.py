"""MoveSpace, the searches, Reach and Route. No rules."""
