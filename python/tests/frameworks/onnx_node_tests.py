#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ONNX's own node tests through the front end and the tool.

  python python/tests/frameworks/onnx_node_tests.py [--match=REGEX] [--every=N]
      [--jobs=N] [--refusals=FILE] [--write]

A test applies if its arguments and results are tensors of the types that the front
end takes. Its result is compared by the test's own tolerance, or two units in the last
place of the largest element. Prints a table: right, different, refused with the
reasons, and aborted. With --refusals, the names of tests
that are refused are compared with those of a file, or written to it with --write.
--every=N runs about one test in N, the same ones each time.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
import zlib

import numpy
import onnx
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from mlir_prof import tool  # noqa: E402
from mlir_prof.frontends import FrontEndError  # noqa: E402
# _graph and _import, so that copies of this process have torch-mlir already.
from mlir_prof.frontends._onnx import _carry, _graph, _import  # noqa: E402, F401
from mlir_prof.frontends._onnx import _values, _worker  # noqa: E402

#: Seconds for one test.
TIMEOUT = 120


def is_taken(info):
    return (info.type.WhichOneof("value") == "tensor_type" and
            info.type.tensor_type.elem_type in _values.TYPES and
            info.type.tensor_type.elem_type != onnx.TensorProto.BFLOAT16)


def load_tests():
    """{name: test} of the tests that apply, and the number of all."""
    from onnx.backend.test.loader import load_model_tests
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = load_model_tests(kind="node")
    return {test.name: test for test in tests
            if all(map(is_taken, [*test.model.graph.input,
                                  *test.model.graph.output]))}, len(tests)


def is_chosen(name, every):
    """Whether a test belongs to the part; a test of another release does not move
    the others."""
    return zlib.crc32(name.encode()) % every == 0


def to_array(value):
    if isinstance(value, onnx.TensorProto):
        return numpy_helper.to_array(value)
    return numpy.asarray(value)


def answer_of(request):
    """The answer of the front end's process."""
    try:
        return _worker.lower(request)
    except FrontEndError as error:
        return dict(error=str(error))


def lower(test, inputs, folder):
    """The front end's answer, by a process of its own, as `lower` has one; a copy
    of this process, which has the libraries already."""
    path = folder / "model.onnx"
    path.write_bytes(test.model.SerializeToString())
    shapes = {info.name: list(value.shape)
              for info, value in zip(test.model.graph.input, inputs)}
    request = dict(path=str(path), shapes=shapes, module=str(folder / "model.mlir"))
    child = os.fork()
    if not child:
        code = 1
        try:
            answer = answer_of(request)
            (folder / "answer.json").write_text(json.dumps(answer))
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if status:
        return None
    return json.loads((folder / "answer.json").read_text())


def run(inputs, folder):
    """The results of the lowered model."""
    command = [tool.find_tool(), "record", str(folder / "model.mlir"), "--mode=time",
               "--iterations=1", "--warm-up=0", f"--save-results={folder / 'out'}",
               "-o", str(folder / "profile.mlprof")]
    for place, value in enumerate(inputs):
        numpy.save(folder / f"{place}.npy", value.view(_carry.storage(value.dtype)))
        command.append(f"--input={place}={folder}/{place}.npy")
    done = subprocess.run(command, capture_output=True, encoding="utf-8",
                          timeout=TIMEOUT, env=dict(os.environ, MLIR_PROF_CACHE="off"))
    return done.stderr.strip() if done.returncode else None


def rounding_of(wanted):
    """Two units in the last place of the largest element: what the tests state was
    itself computed with the type's rounding, also where the sum is 0."""
    finite = numpy.abs(wanted[numpy.isfinite(wanted)].astype("float64"))
    return 2 * float(numpy.finfo(wanted.dtype).eps) * finite.max(initial=0)


def compare(test, outputs, folder):
    """The difference, or None."""
    for place, wanted in enumerate(outputs):
        found = numpy.load(folder / "out" / f"result{place}.npy")
        if found.shape != wanted.shape:
            return f"the shape is {found.shape}, not {wanted.shape}"
        if found.dtype != wanted.dtype:
            found = numpy.asarray(found).view(wanted.dtype)
        try:
            if wanted.dtype.kind == "f":
                numpy.testing.assert_allclose(
                    found, wanted, rtol=test.rtol,
                    atol=max(test.atol, rounding_of(wanted)))
            else:
                numpy.testing.assert_array_equal(found, wanted)
        except AssertionError as error:
            return " ".join(str(error).split())[:300]
    return None


def check(test):
    """(class, reason) of a test."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        inputs, outputs = ([to_array(value) for value in values]
                           for values in test.data_sets[0])
        answer = lower(test, inputs, folder)
        if answer is None:
            return "aborted", "the process that lowers it ended"
        if "error" in answer:
            return "refused", answer["error"]
        failed = run(inputs, folder)
        if failed:
            return "failed", failed
        differs = compare(test, outputs, folder)
        return ("different", differs) if differs else ("right", "")


def run_part(tests, names):
    return {name: check(tests[name]) for name in names}


def run_all(tests, names, jobs):
    """{name: (class, reason)}, by `jobs` processes."""
    parts, folder = [names[job::jobs] for job in range(jobs)], tempfile.mkdtemp()
    children = []
    for job, part in enumerate(parts):
        child = os.fork()
        if not child:
            code = 1
            try:
                found = run_part(tests, part)
                pathlib.Path(folder, f"{job}.json").write_text(json.dumps(found))
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    failed = [child for child in children if os.waitpid(child, 0)[1]]
    if failed:
        sys.exit("error: a process that runs tests failed")
    found = {}
    for job in range(jobs):
        found.update(json.loads(pathlib.Path(folder, f"{job}.json").read_text()))
    shutil.rmtree(folder)
    return {name: tuple(found[name]) for name in names}


def print_table(found, count):
    classes = collections.Counter(kind for kind, _ in found.values())
    print(f"{len(found)} of {count} tests apply or were chosen: " +
          ", ".join(f"{classes[kind]} {kind}" for kind in
                    ("right", "different", "refused", "failed", "aborted")))
    reasons = collections.defaultdict(list)
    for name, (kind, reason) in found.items():
        if kind != "right":
            text = re.sub(r" of node '[^']*'", "", reason)
            reasons[kind, " ".join(text.split())[:150]].append(name)
    for (kind, reason), names in sorted(reasons.items()):
        print(f"{kind}: {len(names)}: {reason}\n    {', '.join(names)}")


def check_refusals(found, path, write):
    """Whether the tests that are not right are those of a file."""
    names = sorted(name for name, (kind, _) in found.items() if kind != "right")
    if write:
        path.write_text("".join(f"{name} {found[name][0]}\n" for name in names),
                        encoding="utf-8")
        return True
    known = dict(line.split() for line in
                 path.read_text(encoding="utf-8").splitlines() if line)
    wrong = [name for name in names if known.get(name) != found[name][0]]
    better = [name for name in known if name in found and name not in names]
    for name in wrong:
        print(f"error: {name} is {found[name][0]}: {found[name][1]}")
    for name in better:
        print(f"error: {name} is right now; remove it from {path}")
    return not wrong and not better


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--match", default="", metavar="REGEX")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--refusals", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    tests, count = load_tests()
    names = [name for name in tests if re.search(options.match, name) and
             is_chosen(name, options.every)]
    found = run_all(tests, names, max(options.jobs, 1))
    print_table(found, count)
    if options.refusals and not check_refusals(found, options.refusals,
                                               options.write):
        sys.exit(1)


if __name__ == "__main__":
    main()
