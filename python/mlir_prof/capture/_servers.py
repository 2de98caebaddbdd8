# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiler servers of TensorFlow and JAX, several of them into one profile.

The programs run `tf.profiler.experimental.server.start(PORT)` or
`jax.profiler.start_server(PORT)`. The messages are those of profiler_service.proto
and profiler_options.proto of OpenXLA.
"""

import pathlib
import tempfile

from . import _protobuf
from ._choice import SCHEME
from ._result import CaptureError, choose_levels, draft, require

METHOD = "/tensorflow.ProfilerService/Profile"

#: Fields of ProfileRequest.
DURATION_MS, MAX_EVENTS, OPTIONS, ROOT, SESSION, HOST, EMIT = 1, 2, 4, 5, 6, 7, 9
#: Fields of ProfileOptions.
LEVELS = {"host_tracer_level": 2, "device_tracer_level": 3,
          "python_tracer_level": 4}
VERSION, OPTIONS_DURATION_MS, WITH_HLO = 5, 9, 7
#: Fields of ProfileResponse.
IS_EMPTY, XSPACE = 7, 8

#: Events that a server keeps at most.
MOST_EVENTS = 1000000
#: Seconds for a server to collect what it recorded.
PATIENCE = 120
#: The levels that are not chosen.
DEFAULT_LEVELS = {"host_tracer_level": 2, "device_tracer_level": 1,
                  "python_tracer_level": 0}


def make_request(duration_ms, levels, root, host):
    """A ProfileRequest. `root` is a folder of the server's machine, where one that
    does not send the recording leaves it."""
    levels = {**DEFAULT_LEVELS, **levels}
    options = _protobuf.encode(
        [(LEVELS[name], level) for name, level in levels.items()] +
        # From version 1 on, a level of 0 is chosen, and not left out.
        [(VERSION, 1), (WITH_HLO, 1), (OPTIONS_DURATION_MS, duration_ms)])
    return _protobuf.encode([
        (DURATION_MS, duration_ms), (MAX_EVENTS, MOST_EVENTS), (OPTIONS, options),
        (ROOT, str(root)), (SESSION, "mlir-prof"), (HOST, host), (EMIT, 1)])


def split_address(address):
    """HOST:PORT of an address."""
    place = address[len(SCHEME):].rstrip("/")
    host, _, port = place.rpartition(":")
    if not host or not port.isdigit():
        raise ValueError(f"{address!r} is not of the form grpc://HOST:PORT")
    return place


def describe(address, error):
    """Why a server did not record."""
    code = error.code().name
    if code == "UNAVAILABLE":
        return CaptureError(
            f"{address} cannot be reached; hint: call "
            "jax.profiler.start_server(PORT) or "
            "tf.profiler.experimental.server.start(PORT) in the program")
    if code == "DEADLINE_EXCEEDED":
        return CaptureError(f"{address} did not answer within {PATIENCE} s after "
                            "the recording; hint: take a shorter duration")
    return CaptureError(f"{address}: {error.details() or code}")


def read_response(address, response, root):
    """The XSpace of a response."""
    fields = dict(_protobuf.decode(response))
    if fields.get(XSPACE):
        return bytes(fields[XSPACE])
    # Servers that do not know the field write a file.
    files = sorted(root.glob("**/*.xplane.pb"))
    if files:
        return files[0].read_bytes()
    if fields.get(IS_EMPTY):
        raise CaptureError(f"{address} recorded nothing; hint: the program must "
                           "work meanwhile, or take a longer duration")
    raise CaptureError(f"{address} wrote the recording on its own machine, as "
                       "this version of its framework does; hint: update it, or "
                       "run this on the same machine")


def ask(grpc, places, duration, levels, scratch):
    """The responses of all servers, which record at the same time."""
    duration_ms = round(duration * 1000)
    channels, futures = [], []
    try:
        for number, place in enumerate(places):
            channel = grpc.insecure_channel(place, options=[
                ("grpc.max_receive_message_length", -1)])
            channels.append(channel)
            root = scratch / str(number)
            root.mkdir()
            futures.append(channel.unary_unary(METHOD).future(
                make_request(duration_ms, levels, root, f"worker-{number}"),
                timeout=duration + PATIENCE))
        responses = []
        for place, future in zip(places, futures):
            try:
                responses.append(future.result())
            except grpc.RpcError as error:
                raise describe(SCHEME + place, error) from error
        return responses
    finally:
        for channel in channels:
            channel.close()


def capture(addresses, folder, duration, overwrite, levels):
    levels = choose_levels(levels)
    if not duration > 0:
        raise ValueError(f"duration is {duration!r}; it is a time in seconds")
    places = [split_address(address) for address in addresses]
    grpc = require("grpc", "grpcio", "servers")
    with draft(folder, overwrite) as made, \
            tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        responses = ask(grpc, places, duration, levels, scratch)
        for number, (place, response) in enumerate(zip(places, responses)):
            name = f"profile.{number}.xplane.pb" if number else "profile.xplane.pb"
            made.path(name).write_bytes(
                read_response(SCHEME + place, response, scratch / str(number)))
            made.profiles.append(name)
        made.info = dict(framework="servers", addresses=list(addresses),
                         duration=duration, **levels)
    return made.result
