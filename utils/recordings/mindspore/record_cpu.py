#!/usr/bin/env python3
"""Records test/Import/Inputs/mindspore-cpu: four calls of a layer of MindSpore on a CPU.

usage: record_cpu.py FOLDER

Needs mindspore (2.10.0 made the files). cpu_op_type_info_0.csv has MindSpore's own
totals of the timeline trace_view.json."""

import pathlib
import shutil
import sys
import tempfile

import mindspore
import numpy

out = pathlib.Path(sys.argv[1])
mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
mindspore.set_device("CPU")
layer = mindspore.nn.Dense(64, 64)
x = mindspore.Tensor(numpy.ones((4, 64), numpy.float32))
layer(x)
with tempfile.TemporaryDirectory() as scratch:
    profiler = mindspore.Profiler(output_path=scratch, start_profile=False)
    profiler.start()
    for _ in range(4):
        layer(x)
    profiler.stop()
    profiler.analyse()
    [folder] = pathlib.Path(scratch).iterdir()
    for name in ("ASCEND_PROFILER_OUTPUT/trace_view.json",
                 "FRAMEWORK/cpu_op_type_info_0.csv"):
        target = out / name.removeprefix("FRAMEWORK/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / name, target)
