"""Every documented limit, measured as by `simulator bench limits`: a section of RESULTS.md."""

import sys

from simulator.cli.bench_limits import MOST_BYTES, MOST_SECONDS, measure_cases, table
from simulator.cli.limit_cases import chosen_cases


def main() -> int:
    found = list(measure_cases(chosen_cases(sys.argv[1:])))
    most = f"{MOST_SECONDS:.0f} s of processor time and {MOST_BYTES / 1e9:.1f} GB"
    print(f"Each in a process of its own; at most {most}.\n")
    for line in table(found):
        print(line)
    return int(not all(one.passes for one in found))


if __name__ == "__main__":
    sys.exit(main())
