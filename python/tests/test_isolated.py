# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in processes of their own that do not end."""

import io
import pathlib
import platform
import struct
import time
import unittest
from unittest import mock

import mlir_prof
from mlir_prof import _container, _isolated
from model_common import COUNTER, Compiled, run_python

#: Does not end unless its argument is 1.
ENDLESS = """
func.func @main(%x: i64 loc("x")) -> i64 {
  %one = arith.constant 1 : i64
  %r = scf.while (%a = %x) : (i64) -> i64 {
    %c = arith.cmpi ne, %x, %one : i64
    scf.condition(%c) %a : i64
  } do {
  ^bb0(%a: i64):
    %b = arith.addi %a, %x : i64
    scf.yield %b : i64
  }
  return %r : i64
}
"""

INTERRUPT = """
import os, signal, sys, threading
import mlir_prof
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt():
    threading.Timer(SECONDS, os.kill, (os.getpid(), signal.SIGINT)).start()
def count_children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return len(file.read().split())
try:
    PROGRAM
except KeyboardInterrupt:
    print("interrupted", count_children())
"""

#: Ends while a call runs, without its handlers.
KILLED = """
import os, signal, sys, threading, time
import mlir_prof
model = mlir_prof.load(sys.argv[1], trust=False)
threading.Thread(target=lambda: model(2)).start()
time.sleep(0.5)
print(model._runner._worker.process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def find_symbol(data, name):
    """The place of a function of a library in its file."""
    (sections,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, sections + size * index)
               for index in range(count)]
    for kind, begin, length, link in ((entry[1], entry[4], entry[5], entry[6])
                                      for entry in headers):
        if kind != 11:  # SHT_DYNSYM
            continue
        for at in range(begin, begin + length, 24):
            text, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, at)
            end = headers[link][4] + text
            if data[end:data.index(b"\0", end)] == name:
                return next(value - entry[3] + entry[4] for entry in headers
                            if entry[3] <= value < entry[3] + entry[5])
    raise KeyError(name)


class Isolated(Compiled):
    def run_program(self, program, seconds=1.0):
        path = self.compile(ENDLESS).save(self.folder / "endless.mprof")
        program = INTERRUPT.replace("PROGRAM", program).replace("SECONDS", str(seconds))
        return run_python(program, path, self.make_endless_load(), timeout=60)

    def make_endless_load(self):
        """A model the function of which that sets its variables does not end."""
        path = self.folder / "load.mprof"
        self.compile(COUNTER).save(path)
        data = bytearray(path.read_bytes())
        at = find_symbol(data, b"mlirprof_reset")
        data[at:at + 2] = b"\xeb\xfe"  # jmp to itself
        tail = _container.Tail(io.BytesIO(data), str(path))
        size, begin, end, _ = tail.library
        tail.library[3] = _container._hash(data[:begin], data[end:size])
        path.write_bytes(data[:tail.offset] + tail.pack(tail.offset))
        return path

    def test_a_call_may_take_so_long(self):
        model = self.compile(ENDLESS, timeout=2)
        self.assertTrue(model.is_isolated)
        for _ in range(2):
            with self.assertRaisesRegex(TimeoutError, "did not answer in 2 seconds"):
                model(2)
            # In a new process.
            self.assertEqual(model(1), 1)
        path = model.save(self.folder / "endless.mprof")
        with self.assertLogs("mlir_prof", "WARNING"):
            loaded = mlir_prof.load(path, timeout=2)
        with self.assertRaises(TimeoutError):
            loaded(2)
        self.assertEqual(loaded(1), 1)

    def test_a_model_in_this_process_has_no_timeout(self):
        with self.assertRaisesRegex(ValueError, "leave out isolate=False"):
            self.compile(ENDLESS, timeout=2, isolate=False)

    @unittest.skipUnless(platform.machine() == "x86_64", "changes machine code")
    def test_loading_may_take_so_long(self):
        with self.assertLogs("mlir_prof", "WARNING"):
            with mock.patch.object(_isolated, "_LOAD_SECONDS", 5):
                with self.assertRaisesRegex(TimeoutError, "in 5 seconds"):
                    mlir_prof.load(self.make_endless_load())

    @unittest.skipUnless(platform.machine() == "x86_64", "changes machine code")
    def test_interrupts_end_it(self):
        for program in ("model = mlir_prof.load(sys.argv[1], trust=False)\n"
                        "    interrupt()\n    model(2)",
                        "interrupt()\n"
                        "    mlir_prof.load(sys.argv[2], trust=False)"):
            # The last seconds are the start of the process.
            result = self.run_program(program, seconds=3)
            self.assertEqual((result.stdout, result.returncode), ("interrupted 0\n", 0),
                             result.stderr)

    def test_it_ends_with_the_other_process(self):
        path = self.compile(ENDLESS).save(self.folder / "endless.mprof")
        result = run_python(KILLED, path, timeout=60)
        process = pathlib.Path("/proc", result.stdout.strip())
        self.assertTrue(process.name.isdecimal(), result.stderr)
        until = time.monotonic() + 30
        while self.is_running(process) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertFalse(self.is_running(process))

    @staticmethod
    def is_running(process):
        try:
            # A process that nobody waits for is a zombie.
            return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False


if __name__ == "__main__":
    unittest.main()
