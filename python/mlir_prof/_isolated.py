# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a compiled model in a process of its own."""

from __future__ import annotations

import builtins
import contextlib
import fcntl
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import threading
import time
import typing
import weakref

from . import _arrays, _files

Signature = typing.Tuple[typing.Tuple[str, str, typing.Tuple[
    typing.Optional[int], ...]], ...]
Message = typing.Dict[str, typing.Any]

#: Longer answers are not those of a worker.
_LONGEST = 1 << 24
#: Seconds that a process may take to start and to load a model, whose code runs then,
#: too.
_LOAD_SECONDS = 60.0
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
        #: Seconds that an answer may take; None for any time.
        self.timeout: typing.Optional[float] = None
        self._read = b""
        self._memory = [_make_memory(name) for name in ("arguments", "results")]
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        # A process that does not read must not stop this one.
        os.set_blocking(self._requests, False)
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
        self._finalize = weakref.finalize(
            self, _end, self.process, [self._requests, self._answers, *self._memory],
            os.getpid())

    def close(self) -> None:
        self._finalize()

    def _wait(self, descriptor: int, event: int, until: typing.Optional[float]) -> None:
        """Until a pipe is ready, or has ended."""
        poll = select.poll()
        poll.register(descriptor, event)
        left = None if until is None else max(until - time.monotonic(), 0) * 1000
        if not poll.poll(left):
            self.is_lost = True
            raise TimeoutError(f"the model's process did not answer in {self.timeout:g} "
                               "seconds, and was ended")

    def _find_end(self) -> typing.Optional[float]:
        return None if self.timeout is None else time.monotonic() + self.timeout

    def _read_line(self) -> bytes:
        until = self._find_end()
        while b"\n" not in self._read:
            self._wait(self._answers, select.POLLIN, until)
            more = os.read(self._answers, 1 << 16)
            self._read += more
            if not more or len(self._read) > _LONGEST:
                self.fail()
        line, _, self._read = self._read.partition(b"\n")
        return line

    def receive(self) -> Message:
        try:
            answer = json.loads(self._read_line())
        except (ValueError, RecursionError):
            self.fail()
        if not isinstance(answer, dict):
            self.fail()
        if "error" in answer:
            _raise(str(answer["error"]), str(answer.get("text")))
        return answer

    def send(self, request: Message) -> Message:
        until = self._find_end()
        data = json.dumps(request).encode() + b"\n"
        try:
            while data:
                self._wait(self._requests, select.POLLOUT, until)
                data = data[os.write(self._requests, data):]
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


def _end(process: "subprocess.Popen[bytes]", descriptors: typing.Sequence[int],
         owner: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
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

    def __init__(self, held: _files.HeldFile, threads: int, signs: str = "",
                 timeout: typing.Optional[float] = None) -> None:
        self._held, self._threads, self._signs = held, threads, signs
        self._timeout = timeout
        self._lock = threading.Lock()
        self._worker: typing.Optional[_Worker] = None
        self._start()

    def _start(self) -> _Worker:
        worker = _Worker(self._held, self._threads)
        worker.timeout = max(_LOAD_SECONDS, self._timeout or 0)
        try:
            self._greet(worker)
        except BaseException:
            worker.close()
            raise
        worker.timeout = self._timeout
        self._worker = worker
        return worker

    def _greet(self, worker: _Worker) -> None:
        """Waits until the model is loaded."""
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
        with self._lock, self._use() as worker:
            worker.send({"reset": True})

    @contextlib.contextmanager
    def _use(self) -> typing.Iterator[_Worker]:
        """The process. It ends if it is lost, or stopped before it has answered."""
        worker = self._worker or self._start()
        is_answered = False
        try:
            yield worker
            is_answered = True
        except Exception:
            is_answered = not worker.is_lost
            raise
        finally:
            if not is_answered:
                self._worker = None
                worker.close()

    def run(self, inputs: typing.Sequence[typing.Any],
            outputs: typing.Optional[typing.Sequence[typing.Any]] = None
            ) -> typing.Sequence[typing.Any]:
        """The results as new arrays of NumPy, or in `outputs`."""
        self._check_apart(inputs)
        arrays = [_arrays.to_bytes(array) for array in inputs]
        with self._lock, self._use() as worker:
            answer = worker.send(worker.write(arrays))
            results = self._take(worker, answer)
        count = len(self.results)
        copied = list(zip(self._outputs, results))[0 if outputs is not None else count:]
        targets = [*(outputs or ()), *(inputs[index] for index in self.written)]
        for ((name, _, _), result), target in zip(copied, targets):
            _arrays.copy_to(target, result, name)
        return results[:count] if outputs is None else outputs

    def _check_apart(self, inputs: typing.Sequence[typing.Any]) -> None:
        """As the extension does for calls in this process."""
        for index in self.written:
            for other, value in enumerate(inputs):
                if other == index or (other > index and other in self.written):
                    continue
                from . import _model
                if _model.share_memory(inputs[index], value):
                    raise ValueError(
                        f"argument '{self.arguments[index][0]}', which the model "
                        f"writes, and argument '{self.arguments[other][0]}' share "
                        "memory; hint: pass a copy of one of them")

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
