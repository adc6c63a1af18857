"""`make bench`: print what a removal costs beside the bare calls. BENCH_ARGS="--people 20"."""

import argparse

from benchmarks.removal import measure

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10, help="removed each way")
    for line in measure(parser.parse_args().people):
        print(line)
