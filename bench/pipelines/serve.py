#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process of one peer.

  serve.py PEER PROBLEM THREADS FOLDER

Compiles, checks the results of every request, and warms up. Then it reports in
one line of JSON: {"version", "error", "ready", "memory"} or {"missing"} or
{"failed"}. `ready` is the time in seconds from the file of the model to the
first result, without the import of the peer's package; `memory` is that of the
process (harness.memory) before this import, after it, and after the result.
Each line of input is a turn's length in seconds, and is answered by
{"ns": [...], "idle"}: times per request, a mean over each pass of the trace,
and the part of one processor that was used since the turn before.
"""

import json
import os
import sys
import time

import peers
import problems

import harness  # noqa: E402

WARM_UP_CALLS, WARM_UP_SECONDS = 10, 0.3


def check(peer, problem, calls):
    """The largest error of all requests; an error above the limit ends the
    process."""
    error = 0
    for request, call in calls.items():
        results = {f"result{i}": value
                   for i, value in enumerate(peer.results(call()))}
        error = max(error, problem.error(results, request))
    if error > problem.bound:
        raise ValueError(f"is wrong: relative error {error:.1e}")
    return error


def warm_up(calls):
    end = time.perf_counter() + WARM_UP_SECONDS
    count = 0
    while count < WARM_UP_CALLS or time.perf_counter() < end:
        for call in calls.values():
            call()
        count += 1


def take_turn(order, seconds):
    clock = time.perf_counter_ns
    times, end = [], clock() + seconds * 1e9
    for call in order:
        call()
    while not times or clock() < end:
        begin = clock()
        for call in order:
            call()
        times.append((clock() - begin) / len(order))
    return times


def get_ready(name, problem, threads, folder):
    """(peer, {request: call}, facts) after one result of each request."""
    kind = peers.find(name)
    empty = harness.memory()
    kind.load()
    loaded = harness.memory()
    begin = time.perf_counter()
    peer = kind(problem, threads, folder)
    calls = {request: peer.prepare(request) for request in problem.requests}
    for call in calls.values():
        call()
    ready = time.perf_counter() - begin
    return peer, calls, dict(ready=ready, memory=dict(
        empty=empty, loaded=loaded, ready=harness.memory()))


def serve(out, name, problem, threads, folder):
    peer, calls, facts = get_ready(name, problem, threads, folder)
    error = check(peer, problem, calls)
    warm_up(calls)
    print(json.dumps(dict(facts, version=peer.version(), error=error)),
          file=out, flush=True)
    order = [calls[request] for request in problem.trace]
    idle = None
    for line in sys.stdin:
        used = 0
        if idle:
            used = ((time.process_time() - idle[0])
                    / (time.perf_counter() - idle[1]))
        times = take_turn(order, float(line))
        print(json.dumps(dict(ns=times, idle=used)), file=out, flush=True)
        # Thread pools may spin for a while.
        idle = time.process_time(), time.perf_counter()


def main():
    name, problem, threads, folder = sys.argv[1:]
    # Output of libraries must not mix with the answers.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        serve(out, name, problems.find(problem), int(threads), folder)
    except (ImportError, peers.Missing) as error:
        print(json.dumps(dict(missing=str(error))), file=out, flush=True)
    except Exception as error:  # every exception of a peer is its failure
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        print(json.dumps(dict(failed=text)), file=out, flush=True)


if __name__ == "__main__":
    main()
