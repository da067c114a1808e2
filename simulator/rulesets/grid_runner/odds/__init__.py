"""The best chance of reaching each square, exactly: `walking` past enemies that may intercept, and `tumbling`."""
