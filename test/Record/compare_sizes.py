"""Compares the results of a model with those of another pipeline."""

import os
import subprocess
import sys


def main() -> None:
    """Runs MODEL with THREADS threads, and compares all of RESULTS."""
    tool, model, results, threads = sys.argv[1:]
    names = os.listdir(results)
    compared = [f"--compare={i}={os.path.join(results, f'result{i}.npy')}" for i in range(len(names))]
    subprocess.run(
        [tool, "record", model, f"--threads={threads}", "--iterations=2", "--mode=time", "--no-peak", *compared,
         "-o", os.devnull],
        check=True,
    )
    print(len(names), "results equal those of scalar loops")


main()
