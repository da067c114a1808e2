"""The best chance of getting to each square, exactly: `walking` past whoever interrupts, and `tumbling`."""
