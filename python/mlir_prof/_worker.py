# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process in which an isolated model runs."""

from __future__ import annotations

import json
import mmap
import os
import typing

Message = typing.Dict[str, typing.Any]


def _map_inputs(descriptor: int, request: Message) -> typing.List[typing.Any]:
    """The arrays of a request, in the shared memory."""
    import numpy
    if not request["size"]:
        return [numpy.empty(value["shape"], value["dtype"])
                for value in request["inputs"]]
    memory = mmap.mmap(descriptor, request["size"], access=mmap.ACCESS_COPY)
    arrays = []
    for value in request["inputs"]:
        count = int(numpy.prod(value["shape"], dtype=numpy.int64))
        arrays.append(numpy.frombuffer(memory, value["dtype"], count, value["offset"])
                      .reshape(value["shape"]))
    return arrays


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
        results = model.run(_map_inputs(source, request), None)
        return {"outputs": _write_outputs(target, results)}
    except Exception as error:  # noqa: BLE001 - the other process raises it.
        return {"error": type(error).__name__, "text": str(error)}


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
            from . import _model, _sandbox
            _sandbox.close()
            model = _model.open(path, threads)
        except Exception as error:  # noqa: BLE001 - the other process raises it.
            send({"error": type(error).__name__, "text": str(error)})
            return
        send({"arguments": model.arguments, "results": model.results,
              "threads": model.threads})
        for line in lines:
            send(_answer(model, json.loads(line), source, target))
