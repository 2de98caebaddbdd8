# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process in which an isolated model runs."""

from __future__ import annotations

import json
import mmap
import os
import select
import threading
import typing

Message = typing.Dict[str, typing.Any]


def _view(memory: typing.Any, value: Message) -> typing.Any:
    """An argument in the shared memory, which may be changed; the extension makes
    arrays of numbers that NumPy does not have."""
    import numpy

    from . import _arrays, _model
    shape, dtype, offset = value["shape"], value["dtype"], value["offset"]
    kind = _arrays.find_dtype(dtype)
    if kind is None:
        return _model.copy(memoryview(memory)[offset:offset + value["size"]], dtype,
                           shape)
    if not value["size"]:
        return numpy.empty(shape, kind)
    count = value["size"] // kind.itemsize
    return numpy.frombuffer(memory, kind, count, offset).reshape(shape)


def _map_inputs(descriptor: int, request: Message) -> typing.List[typing.Any]:
    """The arrays of a request."""
    size = request["size"]
    memory = (mmap.mmap(descriptor, size, access=mmap.ACCESS_COPY) if size else
              bytearray())
    return [_view(memory, value) for value in request["inputs"]]


def _write_outputs(descriptor: int, results: typing.Sequence[typing.Any]
                   ) -> typing.List[Message]:
    import numpy
    values: typing.List[Message] = []
    offset = 0
    for result in results:
        array: typing.Any = numpy.asarray(result, order="C")
        offset += -offset % 64
        values.append({"shape": array.shape, "offset": offset})
        data = memoryview(array.reshape(-1).view("u1"))
        while data:
            written = os.pwrite(descriptor, data, offset)
            data, offset = data[written:], offset + written
    return values


def _answer(model: typing.Any, request: Message, source: int, target: int) -> Message:
    try:
        if "reset" in request:
            model.reset()
            return {}
        if "signs" in request:
            model.set_signs(request["signs"])
            return {"arguments": model.arguments}
        inputs = _map_inputs(source, request)
        results = [*model.run(inputs, None), *(inputs[index]
                                               for index in model.written)]
        return {"outputs": _write_outputs(target, results)}
    except Exception as error:  # noqa: BLE001 - the other process raises it.
        return {"error": type(error).__name__, "text": str(error)}


def _end_with(requests: int) -> None:
    """Ends this process once the other one has: the model may not."""
    poll = select.poll()
    poll.register(requests, 0)
    poll.poll()
    os._exit(0)


def main(path: str, threads: int, requests: int, answers: int, source: int,
         target: int) -> None:
    """Answers requests, a line of JSON each, until there are no more.

    `source` and `target` are the memory of arguments and results."""
    with os.fdopen(requests, "rb") as lines, os.fdopen(answers, "wb") as output:
        def send(message: Message) -> None:
            output.write(json.dumps(message).encode() + b"\n")
            output.flush()
        try:
            # First, while files can be opened.
            import numpy  # noqa: F401
            from . import _arrays, _model, _sandbox  # noqa: F401
            threading.Thread(target=_end_with, args=(requests,), daemon=True).start()
            _sandbox.close()
            model = _model.open(path, threads)
        except Exception as error:  # noqa: BLE001 - the other process raises it.
            send({"error": type(error).__name__, "text": str(error)})
            return
        send({"arguments": model.arguments, "results": model.results,
              "written": model.written, "threads": model.threads})
        for line in lines:
            send(_answer(model, json.loads(line), source, target))
