"""Pictures. Knows no rules: it is told what to draw."""
