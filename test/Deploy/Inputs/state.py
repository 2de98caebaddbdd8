"""Writes inputs for state.mlir and results that NumPy computes.

usage: state.py FOLDER
"""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
x = np.random.default_rng(22).integers(-99, 99, (5, 4)).astype(np.int32)
np.save(folder / "x.npy", x)
np.save(folder / "sum.npy", np.array([1, 2, 3, 4], np.int32) + np.cumsum(x, 0, np.int32))
np.save(folder / "calls.npy", np.arange(1, 6, dtype=np.int32))
