# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in processes that fork, handle signals, change files and end."""

import asyncio
import concurrent.futures
import os
import signal
import sys
import unittest

import numpy

from mlir_prof import _model
from model_common import COUNTER, LAYER, Compiled, run_python

#: Reads where its second argument says.
WILD = """
func.func @main(%x: tensor<?xf32>, %i: index) -> f32 {
  %y = tensor.extract %x[%i] : tensor<?xf32>
  return %y : f32
}
"""

#: Takes more of the stack than there is.
DEEP = """
func.func @main(%n: index loc("n"), %k: index loc("k")) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %memory = memref.alloca(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %number = arith.index_cast %i : index to i64
    %square = arith.muli %number, %number : i64
    memref.store %square, %memory[%i] : memref<?xi64>
  }
  %y = memref.load %memory[%k] : memref<?xi64>
  %z = arith.sitofp %y : i64 to f32
  return %z : f32
}
"""

#: Calls itself without an end.
RECURSION = """
func.func @main(%x: tensor<256xf32> loc("x")) -> tensor<256xf32> {
  %y = math.exp %x : tensor<256xf32>
  %z = func.call @main(%y) : (tensor<256xf32>) -> tensor<256xf32>
  %r = arith.addf %y, %z : tensor<256xf32>
  return %r : tensor<256xf32>
}
"""

#: The begin of the programs: models by their paths.
BEGIN = """
import ctypes, faulthandler, os, signal, sys, threading, time
import numpy
from mlir_prof import _model
x = numpy.zeros(4, "f4")
def open_model():
    return _model.open(sys.argv[1], threads=2)
def fail(model):
    try:
        model.run([x, 1 << 40])
    except _model.ModelError as error:
        print("failed")
"""

FORK = """
arguments = [numpy.ones(shape, "f4") for shape in ((64, 16), (16, 8), 8)]
model, counter = open_model(), _model.open(sys.argv[2])
expected = numpy.asarray(model.run(arguments)[0]).copy()
is_done = False
def work():
    while not is_done:
        model.run(arguments)
        counter.run([])
        _model.open(sys.argv[2])
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
codes = set()
for _ in range(40):
    child = os.fork()
    if not child:
        signal.alarm(60)
        counter.reset()
        good = int(numpy.asarray(counter.run([])[0])) == 1
        for used in (model, open_model()):
            good &= (numpy.asarray(used.run(arguments)[0]) == expected).all()
        os._exit(0 if good else 1)
    codes.add(os.waitpid(child, 0)[1])
is_done = True
for thread in threads:
    thread.join()
print(codes)
"""

#: Cuts the file off, and makes it whole again, while models are opened.
CUT = """
import random
whole = open(sys.argv[1], "rb").read()
is_done = False
def cut():
    choice = random.Random(3)
    while not is_done:
        with open(sys.argv[1] + ".new", "wb") as file:
            file.write(whole)
        os.replace(sys.argv[1] + ".new", sys.argv[1])
        time.sleep(choice.random() * 2e-3)
        os.truncate(sys.argv[1], len(whole) // 3)
thread = threading.Thread(target=cut)
thread.start()
opened = 0
while opened < 100:
    try:
        _model.open(sys.argv[1])
        opened += 1
    except ValueError:
        pass
is_done = True
thread.join()
print(opened)
"""

#: Loops for ever if the first argument is 2.
ENDLESS = {"host": """
func.func @main(%x: tensor<4096xi64> loc("x")) -> tensor<4096xi64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %r = scf.while (%a = %x) : (tensor<4096xi64>) -> tensor<4096xi64> {
    %v = tensor.extract %a[%c0] : tensor<4096xi64>
    %c = arith.cmpi ne, %v, %one : i64
    scf.condition(%c) %a : tensor<4096xi64>
  } do {
  ^bb0(%a: tensor<4096xi64>):
    %b = arith.ori %a, %x : tensor<4096xi64>
    scf.yield %b : tensor<4096xi64>
  }
  return %r : tensor<4096xi64>
}""", "kernel": """
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<4096xi64> loc("x")) -> tensor<4096xi64> {
  %e = tensor.empty() : tensor<4096xi64>
  %one = arith.constant 1 : i64
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<4096xi64>) outs(%e : tensor<4096xi64>) {
    ^bb0(%v: i64, %o: i64):
      %w = scf.while (%a = %v) : (i64) -> i64 {
        %c = arith.cmpi ne, %v, %one : i64
        scf.condition(%c) %a : i64
      } do {
      ^bb0(%a: i64):
        %b = arith.addi %a, %v : i64
        scf.yield %b : i64
      }
      linalg.yield %w : i64
  } -> tensor<4096xi64>
  return %r : tensor<4096xi64>
}"""}

INTERRUPT = """
signal.signal(signal.SIGINT, signal.default_int_handler)
model = open_model()
for _ in range(3):
    # All threads have work.
    assert (numpy.asarray(model.run([numpy.full(4096, 1)])[0]) == 1).all()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        model.run([numpy.full(4096, 2)])
    except KeyboardInterrupt:
        print("interrupted")
"""

LEAKS = """
import gc
def count():
    gc.collect()
    status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
    return [len(os.listdir("/proc/self/fd")), int(status["Threads"]),
            len(open("/proc/self/maps").readlines()), int(status["RssAnon"].split()[0])]
arguments = [numpy.ones(shape, "f4") for shape in ((64, 16), (16, 8), 8)]
def use(times):
    for _ in range(times):
        open_model().run(arguments)
        _model.open(sys.argv[2]).run([])
use(200)
before = count()
use(2000)
print(*(new - old for new, old in zip(count(), before)))
"""


class Processes(Compiled):
    def save(self, text, **options):
        name = f"{len(list(self.folder.iterdir()))}.mprof"
        return self.compile(text, **options).save(self.folder / name)

    def run_program(self, program, *texts, threads=1):
        paths = [self.save(text, threads=threads) for text in texts]
        return run_python(BEGIN + program, *paths, timeout=300)

    def check(self, result, output):
        self.assertEqual((result.returncode, result.stderr, result.stdout.split()),
                         (0, "", output))

    def test_children_have_models(self):
        self.check(self.run_program("import warnings\n" + FORK, LAYER, COUNTER,
                                    threads=2), ["{0}"])

    def test_models_go_whole(self):
        result = self.run_program(LEAKS, LAYER, COUNTER, threads=2)
        files, threads, mappings, kilobytes = map(int, result.stdout.split())
        self.assertEqual((files, threads), (0, 0))
        self.assertLess(mappings, 100)
        # 2000 models with a plan of a page each, or a path, were more.
        self.assertLess(kilobytes, 2000)

    def test_models_of_a_file_share_its_code(self):
        path = self.save(LAYER, threads=2)
        arguments = [numpy.ones(shape, "f4") for shape in ((64, 16), (16, 8), 8)]
        model = _model.open(str(path), threads=2)
        expected = numpy.asarray(model.run(arguments)[0]).copy()
        for _ in range(5):
            # The older one goes after the newer one came.
            model = _model.open(str(path), threads=2)
            numpy.testing.assert_array_equal(model.run(arguments)[0], expected)

    # Signals.

    def test_handlers_before_and_after_ours_are_called(self):
        for program in (
                "a = open_model()\nfaulthandler.enable()\nb = open_model()\n"
                "fail(a)\nfail(b)\n",
                "faulthandler.enable()\na = open_model()\nfail(a)\nfail(a)\n",
                "a = open_model()\nfaulthandler.enable()\nb = open_model()\n"
                "c = open_model()\nfail(c)\nfail(a)\n"):
            result = self.run_program(program + "sys.stdout.flush()\n"
                                      "ctypes.string_at(1 << 40)", WILD)
            self.assertEqual(result.stdout.split(), ["failed"] * 2)
            self.assertEqual(result.returncode, -signal.SIGSEGV)
            self.assertEqual(result.stderr.count("Fatal Python error"), 1)

    def test_handlers_that_are_switched_off_do_not_hang(self):
        result = self.run_program(
            "a = open_model()\n"
            "for _ in range(20):\n"
            "    faulthandler.enable(); b = open_model(); fail(b)\n"
            "    faulthandler.disable(); fail(a)\n"
            "sys.stdout.flush()\n"
            "ctypes.string_at(1 << 40)", WILD)
        self.assertEqual(result.stdout.split(), ["failed"] * 40)
        self.assertEqual(result.returncode, -signal.SIGSEGV)

    def test_signals_that_are_sent_end_the_process(self):
        result = self.run_program(
            "a = open_model()\nfaulthandler.enable()\nb = open_model()\n"
            "os.kill(os.getpid(), signal.SIGSEGV)", WILD)
        self.assertEqual(result.returncode, -signal.SIGSEGV)
        self.assertEqual(result.stderr.count("Fatal Python error"), 1)

    # Stacks.

    def test_a_full_stack_is_an_exception(self):
        model = _model.open(str(self.save(DEEP)))

        def overflow():
            with self.assertRaisesRegex(_model.ModelError, "stack is full.*alloca"):
                model.run([1 << 28, 5])
            return float(numpy.asarray(model.run([8, 5])[0]))
        self.assertEqual(overflow(), 25)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            self.assertEqual(pool.submit(overflow).result(), 25)

    def test_a_full_stack_is_one_in_functions_of_the_runtime(self):
        """Recursion through allocations and kernels."""
        for threads in (1, 2):
            model = _model.open(str(self.save(RECURSION, threads=threads)))
            x = numpy.ones(256, "f4")

            def overflow():
                with self.assertRaisesRegex(_model.ModelError, "stack is full"):
                    model.run([x])
            for _ in range(2):
                overflow()
                with concurrent.futures.ThreadPoolExecutor(1) as pool:
                    pool.submit(overflow).result()

    # Files.

    def test_a_file_that_was_cut_off_is_an_exception(self):
        path = self.save(COUNTER)
        model = _model.open(str(path))
        size = path.stat().st_size
        os.truncate(path, 0)
        for call in (lambda: model.run([]), model.reset):
            with self.assertRaisesRegex(_model.ModelError, "file was written to .*\n"
                                        ".*renaming"):
                call()
        with self.assertRaisesRegex(ValueError, "is not a compiled model"):
            _model.open(str(path))
        os.truncate(path, size)
        del model

    def test_a_file_that_is_cut_off_meanwhile_is_an_error(self):
        for _ in range(3):
            self.check(self.run_program(CUT, COUNTER), ["100"])

    def test_a_file_that_others_write_is_copied(self):
        """A file that is open for writing cannot have a lease."""
        path = self.save(COUNTER)
        with open(path, "r+b") as file:
            model = _model.open(str(path))
            # Its code is not that of the file any more.
            file.seek(0)
            file.write(bytes(1 << 12))
            file.flush()
            self.assertEqual(int(numpy.asarray(model.run([])[0])), 1)

    # Threads.

    def test_an_interrupt_ends_chunks_on_all_threads(self):
        for name in "host", "kernel":
            with self.subTest(name):
                self.check(self.run_program(INTERRUPT, ENDLESS[name], threads=2),
                           ["interrupted"] * 3)

    def test_threads_and_coroutines_share_a_model(self):
        model = _model.open(str(self.save(LAYER, threads=2)), threads=2)
        arguments = [numpy.ones(shape, "f4") for shape in ((64, 16), (16, 8), 8)]
        expected = numpy.asarray(model.run(arguments)[0]).copy()

        def call(out):
            for _ in range(50):
                model.run(arguments, [out])
            return out
        outs = [numpy.empty_like(expected) for _ in range(6)]
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            for out in pool.map(call, outs):
                numpy.testing.assert_array_equal(out, expected)
            # All of them write one array.
            list(pool.map(call, [outs[0]] * 6))
        numpy.testing.assert_array_equal(outs[0], expected)

        async def gather():
            return await asyncio.gather(*(asyncio.to_thread(model.run, arguments)
                                          for _ in range(20)))
        for (result,) in asyncio.run(gather()):
            numpy.testing.assert_array_equal(numpy.asarray(result), expected)

    def test_a_process_ends_while_models_run(self):
        self.check(self.run_program("""
arguments = [numpy.ones(shape, "f4") for shape in ((64, 16), (16, 8), 8)]
model, counter = open_model(), _model.open(sys.argv[2])
def work():
    while True:
        model.run(arguments)
        counter.run([])
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
""", LAYER, COUNTER, threads=2), [])

    @unittest.skipIf(sys.version_info < (3, 13), "no module for them")
    def test_other_interpreters_are_refused(self):
        result = run_python("""
import _interpreters
name = _interpreters.create()
print(_interpreters.exec(name, "from mlir_prof import _model"))
""", timeout=60)
        self.assertIn("does not support loading in subinterpreters", result.stdout)


if __name__ == "__main__":
    unittest.main()
