#!/usr/bin/env python3
"""Asks all rules about real recordings: only those below may find anything.

usage: recordings.py MLIR_PROF RECORDINGS PAGE_FAULTS

PAGE_FAULTS is what `perf script` printed of a program whose results are mapped
anew for each call; its samples below a page fault are counted here.
"""

import gzip
import json
import pathlib
import subprocess
import sys

tool, root, faults = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
CHAIN, IDLE, THREADS = "memory-bound-chain-not-fused", "idle-gaps", "thread-imbalance"
# Tiny models whose steps are mostly Python, or a chain beside its product.
TRUE = {
    "jax-calls": {CHAIN}, "tf-mlp-xla": {IDLE, CHAIN},
    "tf-calls": {IDLE, THREADS, "dispatch-larger-than-work"}, "tf-names": {IDLE, THREADS},
    "tf-cnn-xla": {IDLE}, "tf-enc": {IDLE}, "tf-loop": {IDLE}, "tf-mixed": {IDLE},
    "tf-train-xla": {IDLE}, "torch/cnn-eager": {IDLE}, "torch/cnn-fxnode": {IDLE},
}
# What serves a page fault, or gives memory back, is called by one of these.
SYMBOLS = ("page_fault", "handle_mm_fault", "munmap", "unmap_vmas", "unmap_region",
           "do_anonymous", "madvise", "clear_page", "zap_pte", "free_unref_page",
           "get_page_from_free", "do_fault", "user_addr_fault", "clear_huge_page")


def advise(path):
    ran = subprocess.run([tool, "advise", path, "--format=json"], check=True,
                         capture_output=True, text=True)
    return json.loads(ran.stdout)["advice"]


def check_faults():
    """Each block of indented lines is the stack of a sample, the innermost first."""
    samples = below = 0
    stack, has_header = [], False
    with gzip.open(faults, "rt") as file:
        for line in [*file, "\n"]:
            if line.strip() and not line[0].isspace():
                stack, has_header = [], True
            elif line.strip():
                stack.append(line)
            elif stack and has_header:
                samples += 1
                below += any(symbol in frame for frame in stack for symbol in SYMBOLS)
                stack = []
    [found] = [a for a in advise(faults) if a["rule"] == "page-fault-churn"]
    assert found["parameters"]["fault_ppm"] == 1000000 * below // samples, (
        found["parameters"], below, samples)


def main():
    paths = sorted([*root.glob("*/xplane.pb"), *root.glob("torch/*/trace.json.gz"),
                    *root.glob("ort/*/trace.json.gz")])
    assert len(paths) > 30, paths
    for path in paths:
        name = str(path.parent.relative_to(root))
        found = {advice["rule"] for advice in advise(path)}
        assert found == TRUE.get(name, set()), (name, found)
    check_faults()
    print("silent where they must be")


if __name__ == "__main__":
    main()
