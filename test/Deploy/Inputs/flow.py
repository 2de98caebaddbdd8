"""Writes inputs for flow.mlir and results that NumPy computes.

usage: flow.py FOLDER

Numbers are integers, for which floats are exact.
"""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(22)
counts = np.array([0, 1, 3, 8], np.int32)
x = random.integers(-3, 4, (len(counts), 4, 16)).astype(np.float32)
w = random.integers(-1, 2, (len(counts), 16, 16)).astype(np.float32)
results, rest = [], counts.copy()
for call, count in enumerate(counts):
    y = x[call]
    for step in range(count):
        y = y @ w[call] + (x[call] if step % 2 else 0)
    while rest[call] > 3:
        y, rest[call] = y + y, rest[call] - 2
    assert np.abs(y).max() < 1 << 24
    results.append(y)
np.save(folder / "x.npy", x)
np.save(folder / "w.npy", w)
np.save(folder / "count.npy", counts)
np.save(folder / "result.npy", np.stack(results).astype(np.float32))
np.save(folder / "rest.npy", rest)
