"""Completes layers.mlir, and writes inputs and results that NumPy computes.

usage: layers.py FOLDER

Numbers are small integers, for which floats are exact.
"""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(22)
x, w, c = (random.integers(-3, 4, shape).astype(np.float32)
           for shape in [(2, 4, 8), (2, 8, 16), (16, 16)])
first = x @ w
np.save(folder / "x.npy", x)
np.save(folder / "w.npy", w)
np.save(folder / "last.npy", (first + first @ c) @ c)
np.save(folder / "first.npy", first)
text = (pathlib.Path(__file__).parent / "layers.mlir").read_text(encoding="utf-8")
blob = np.uint32(64).tobytes() + c.tobytes()
(folder / "layers.mlir").write_text(
    text + "{-# dialect_resources: { builtin: { weights: "
    f'"0x{blob.hex().upper()}" }} }} #-}}\n', encoding="utf-8")
