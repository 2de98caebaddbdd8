# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a compiled model in a process of its own."""

from __future__ import annotations

import builtins
import fcntl
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import typing
import weakref

from . import _arrays, _files

Signature = typing.Tuple[typing.Tuple[str, str, typing.Tuple[
    typing.Optional[int], ...]], ...]
Message = typing.Dict[str, typing.Any]

#: Longer answers are not those of a worker.
_LONGEST = 1 << 24
#: Errors that keep their type across processes.
_ERRORS = ("TypeError", "ValueError", "IndexError", "BufferError", "MemoryError",
           "ImportError", "RuntimeError", "OSError")
_PROGRAM = ("import sys; sys.path[:0] = sys.argv[1:2]; "
            "from mlir_prof._worker import main; "
            "main(sys.argv[2], *map(int, sys.argv[3:]))")


class _Worker:
    """A process, two pipes, and memory for arguments and results."""

    def __init__(self, held: _files.HeldFile, threads: int) -> None:
        #: Whether it cannot answer any more.
        self.is_lost = False
        self._memory = [_make_memory(name) for name in ("arguments", "results")]
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        package = pathlib.Path(__file__).absolute().parent.parent
        numbers = [requests, answers, *self._memory]
        path = f"/proc/self/fd/{held.descriptor}"
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, str(package), path, str(threads),
                 *map(str, numbers)], pass_fds=[held.descriptor, *numbers], stdin=subprocess.DEVNULL,
                # Ctrl-C is for this process.
                start_new_session=True)
        finally:
            os.close(requests)
            os.close(answers)
        self._lines = os.fdopen(self._answers, "rb")
        self._finalize = weakref.finalize(
            self, _end, self.process, self._requests, self._lines, self._memory,
            os.getpid())

    def close(self) -> None:
        self._finalize()

    def receive(self) -> Message:
        line = self._lines.readline(_LONGEST)
        if not line.endswith(b"\n"):
            self.fail()
        answer = json.loads(line)
        if not isinstance(answer, dict):
            self.fail()
        if "error" in answer:
            _raise(str(answer["error"]), str(answer.get("text")))
        return answer

    def send(self, request: Message) -> Message:
        try:
            os.write(self._requests, json.dumps(request).encode() + b"\n")
        except BrokenPipeError:
            self.fail()
        return self.receive()

    def fail(self) -> typing.NoReturn:
        """The process has ended, or does not answer as it should."""
        from ._compiled import ModelError
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            how = "does not answer as it should"
        else:
            how = (f"was ended by {signal.Signals(-code).name}" if code < 0 else
                   f"ended with {code}")
        self.is_lost = True
        raise ModelError(f"the model's process {how}")

    def write(self, arrays: typing.Sequence[typing.Any]) -> Message:
        """Copies arguments into the shared memory; returns the request."""
        values, offset = [], 0
        for array, dtype in arrays:
            offset += -offset % 64
            values.append({"dtype": dtype, "shape": array.shape, "offset": offset,
                           "size": array.nbytes})
            data = memoryview(array.reshape(-1).view("u1"))
            while data:
                written = os.pwrite(self._memory[0], data, offset)
                data, offset = data[written:], offset + written
        return {"inputs": values, "size": offset}

    def read(self, dtype: str, shape: typing.Sequence[int], offset: int) -> typing.Any:
        """Copies a result out of the shared memory. (A mapping could be cut off.)"""
        import numpy
        kind = _arrays.find_dtype(dtype)
        # Numbers that NumPy does not have: "bfloat16", "float8_E5M2", "complex32".
        bits = re.search("[0-9]+", dtype)
        array = numpy.empty(shape, kind or f"V{int(bits[0]) // 8 if bits else 1}")
        self._fill(array, offset)
        if kind:
            return array
        from . import _model
        return _model.copy(array, dtype, shape)

    def _fill(self, array: typing.Any, offset: int) -> None:
        data = memoryview(array.reshape(-1).view("u1"))
        while data:
            count = os.preadv(self._memory[1], [data], offset)
            if not count:
                self.fail()
            data, offset = data[count:], offset + count


def _make_memory(name: str) -> int:
    descriptor = os.memfd_create(f"mlir-prof-{name}",
                                 os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    return descriptor


def _end(process: "subprocess.Popen[bytes]", requests: int, lines: typing.Any,
         memory: typing.Sequence[int], owner: int) -> None:
    for descriptor in (requests, *memory):
        os.close(descriptor)
    lines.close()
    if os.getpid() == owner:
        process.kill()
        process.wait()


def _raise(name: str, text: str) -> typing.NoReturn:
    from ._compiled import ModelError
    if name in _ERRORS:
        raise getattr(builtins, name)(text)
    raise ModelError(text)


def _read_signature(values: typing.Any) -> Signature:
    return tuple((str(name), str(dtype), tuple(
        None if size is None else int(size) for size in shape))
        for name, dtype, shape in values)


class IsolatedRunner:
    """Calls are made one after the other. If the process ends, the call fails, and
    the next one begins a new process."""

    def __init__(self, held: _files.HeldFile, threads: int, signs: str = "") -> None:
        self._held, self._threads, self._signs = held, threads, signs
        self._lock = threading.Lock()
        self._worker: typing.Optional[_Worker] = None
        self._start()

    def _start(self) -> _Worker:
        worker = _Worker(self._held, self._threads)
        hello = worker.receive()
        if self._signs:
            hello.update(worker.send({"signs": self._signs}))
        self.arguments = _read_signature(hello["arguments"])
        self.results = _read_signature(hello["results"])
        self.written = tuple(int(index) for index in hello["written"])
        # A result of each name is copied out of the process, then such arguments.
        self._outputs = [*self.results, *(self.arguments[index]
                                          for index in self.written)]
        self.threads = int(hello["threads"])
        self._worker = worker
        return worker

    #: Its process maps the constants.
    constants: typing.Sequence[typing.Tuple[int, int]] = ()
    shared_bytes = 0

    def make_caller(self, unflatten: typing.Any) -> typing.Any:
        """Other processes take longer than the steps that a Caller saves."""
        return None

    def share(self, constant: int, array: typing.Any) -> bool:
        """Another process does not have the array."""
        return False

    def reset(self) -> None:
        """Gives the variables their first values."""
        with self._lock:
            (self._worker or self._start()).send({"reset": True})

    def run(self, inputs: typing.Sequence[typing.Any],
            outputs: typing.Optional[typing.Sequence[typing.Any]] = None
            ) -> typing.Sequence[typing.Any]:
        """The results as new arrays of NumPy, or in `outputs`."""
        arrays = [_arrays.to_bytes(array) for array in inputs]
        with self._lock:
            worker = self._worker or self._start()
            is_answered = False
            try:
                answer = worker.send(worker.write(arrays))
                results = self._take(worker, answer)
                is_answered = True
            except Exception:
                is_answered = not worker.is_lost
                raise
            finally:
                # Lost, or stopped in the middle of a call.
                if not is_answered:
                    self._worker = None
                    worker.close()
        count = len(self.results)
        copied = list(zip(self._outputs, results))[0 if outputs is not None else count:]
        targets = [*(outputs or ()), *(inputs[index] for index in self.written)]
        for ((name, _, _), result), target in zip(copied, targets):
            _arrays.copy_to(target, result, name)
        return results[:count] if outputs is None else outputs

    def _take(self, worker: _Worker, answer: Message) -> typing.List[typing.Any]:
        """Copies results; the worker is not believed where they are."""
        values = answer.get("outputs")
        if not isinstance(values, list) or len(values) != len(self._outputs):
            worker.fail()
        results = []
        for value, (_, dtype, shape) in zip(values, self._outputs):
            sizes = [int(size) for size in value["shape"]]
            if len(sizes) != len(shape) or any(
                    size < 0 or known not in (None, size)
                    for size, known in zip(sizes, shape)):
                worker.fail()
            results.append(worker.read(dtype, sizes, int(value["offset"])))
        return results
