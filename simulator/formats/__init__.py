"""Reading and writing: boards, and foreign maps."""
