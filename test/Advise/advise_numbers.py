#!/usr/bin/env python3
"""Computes from other verbs' figures what mlir-prof advise must say.

usage: advise_numbers.py MLIR_PROF idle RECORDING
       advise_numbers.py MLIR_PROF chain PROFILE
       advise_numbers.py MLIR_PROF batch PROFILE
"""

import json
import subprocess
import sys
from statistics import median_low


def run(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True,
                                     text=True).stdout)


def advice(tool, rule, path):
    found = run(tool, "advise", path, f"--rule={rule}", "--format=json")
    assert found["schema"] == "mlir-prof.advice/2", found
    assert len(found["advice"]) == 1, found
    assert found["advice"][0]["rule"] == rule, found
    return found["advice"][0]


def check_idle(tool, path):
    """Usually no op runs between the steps, nor in them beyond what is in flight."""
    rows = run(tool, "query", path, "SELECT begin_ps, duration_ps, op_busy_ps, "
               "op_inflight_ps FROM steps ORDER BY begin_ps", "--format=json")["rows"]
    ends = [row["begin_ps"] + row["duration_ps"] for row in rows]
    busy = [max(row["op_busy_ps"], row["op_inflight_ps"]) for row in rows]
    idle = [row["duration_ps"] - each for row, each in zip(rows, busy)]
    gaps = [max(0, row["begin_ps"] - end) for row, end in zip(rows[1:], ends)]
    between, within, working = (median_low(values) * len(values)
                                for values in (gaps, idle, busy))
    span = between + within + working
    found = advice(tool, "idle-gaps", path)
    assert found["gain_ps"] == between + within, (found, between, within)
    assert found["gain_ppm"] == 1000000 * (between + within) // span, found
    assert found["basis"] == "step_time" and found["basis_ps"] == span, found
    assert found["parameters"]["between_steps_ps"] == between, found
    assert found["parameters"]["steps"] == len(rows), found


def check_chain(tool, path):
    """Fused, the two ops take as long as the longer one."""
    rows = run(tool, "report", path, "--by=op", "--format=json")["rows"]
    times = sorted(row["sole_ps"] + row["estimated_ps"] for row in rows
                   if row["op"] == "linalg.generic")
    assert len(times) == 2, rows
    found = advice(tool, "memory-bound-chain-not-fused", path)
    # Times of an iteration are whole picoseconds.
    rounding = 10**6
    assert abs(found["gain_ps"] - times[0]) < rounding, (found, times)
    assert abs(found["parameters"]["time_ps"] - sum(times)) < rounding, (found, times)
    assert found["parameters"]["ops"] == len(found["subjects"]) == 2, found


def check_batch(tool, path):
    """Two rows of 1024 by 1024 x 1024 weights; eight cost as much."""
    rows = run(tool, "report", path, "--by=op", "--format=json")["rows"]
    times = [row["sole_ps"] + row["estimated_ps"] for row in rows
             if row["op"] == "linalg.matmul"]
    found = advice(tool, "small-batch", path)
    assert len(times) == 1, rows
    assert found["parameters"]["time_ps"] == times[0], (found, times)
    assert found["gain_ps"] == times[0] - times[0] * 2 // 8, (found, times)
    assert found["parameters"]["rows"] == 2, found
    assert found["parameters"]["weights"] == 1024 * 1024, found
    assert found["parameters"]["others"] == 2 * 1024 + 2 * 1024, found


def main():
    tool, what, path = sys.argv[1:4]
    {"idle": check_idle, "chain": check_chain, "batch": check_batch}[what](tool, path)
    print("numbers agree")


if __name__ == "__main__":
    main()
