#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The service on large recordings: what its answers and its memory cost.

    bench/serve/run.py --tool build/bin/mlir-prof [--xprof env/bin/xprof]
        [--events 10000000] [--rows 1000000] [TRACE.xplane.pb]

`windows`: the first answer after an upload, beyond the time of import, and
windows of the timeline at each zoom. `tables`: pages of a table. `load`:
latency at half of the capacity, and with 100 idle connections. TRACE: the same
for a recording that XProf reads, next to XProf.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import harness  # noqa: E402
from client import Load, Peer, Service, forget  # noqa: E402
from traces import write_trace  # noqa: E402

ZOOMS = (1, 4, 16, 64, 256, 1024, 4096, 65536)
PER_ZOOM = 15
PIXELS = 1000
LOAD_SECONDS = 10
CONNECTIONS = 32


def import_seconds(tool, recording, folder):
    begin = time.perf_counter()
    subprocess.run([tool, "import", recording, "--keep-events",
                    "-o", os.path.join(folder, "import.mlprof")],
                   check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def first_paint(tool, recording, folder, rounds):
    """Seconds from the begin of an upload to the answers that the first page
    needs, in rounds that alternate with import alone."""
    imports, paints, memory = [], [], {}
    for number in range(rounds):
        imports.append(import_seconds(tool, recording, folder))
        store = os.path.join(folder, f"paint{number}")
        with Service(tool, store) as service:
            begin = time.perf_counter()
            profile = service.upload(recording)
            service.get(f"/profiles/{profile}")
            service.get(f"/profiles/{profile}/timeline?pixels={PIXELS}")
            paints.append(time.perf_counter() - begin)
            memory = service.memory()
    return {"import": imports, "paint": paints, "memory": memory,
            "stored": count_bytes(store)}


def count_bytes(store):
    objects = os.path.join(store, "objects")
    return {os.path.splitext(name)[1]: os.path.getsize(os.path.join(objects, name))
            for name in os.listdir(objects)}


def measure_windows(tool, store):
    timeline = next(os.path.join(store, "objects", name)
                    for name in os.listdir(os.path.join(store, "objects"))
                    if name.endswith(".timeline"))
    forget(timeline)
    chance = random.Random(1)
    with Service(tool, store) as service:
        profile = json.loads(service.get("/profiles")[1])["profiles"][0]["id"]
        path = f"/profiles/{profile}/timeline?pixels={PIXELS}"
        cold, body = service.get(path)
        whole = json.loads(body)
        begin, end = int(whole["begin_ps"]), int(whole["end_ps"])
        zooms = {}
        for zoom in ZOOMS:
            width = (end - begin) // zoom
            places = [begin + chance.randrange(max(1, end - begin - width))
                      for _ in range(PER_ZOOM)]
            asked = [f"{path}&begin_ps={at}&end_ps={at + width}" for at in places]
            first = [service.get(each)[0] for each in asked]
            zooms[zoom] = {"first": first,
                           "warm": [service.get(each)[0] for each in asked]}
        for analyzer in ("event", "measured-op"):
            service.get(f"/profiles/{profile}/analyzers/{analyzer}?limit=50")
        service.get(f"/profiles/{profile}/timeline/events/5")
        return {"cold": cold, "zooms": zooms, "memory": service.memory()}


def measure_tables(tool, folder, rows):
    recording = os.path.join(folder, "names.json")
    write_trace(recording, rows, rows)
    with Service(tool, os.path.join(folder, "names")) as service:
        profile = service.upload(recording)
        path = f"/profiles/{profile}/analyzers/event?limit=100"
        seconds = {"build": service.get(path)[0]}
        for order in ("-total_ps", "name"):
            seconds["sort " + order] = service.get(f"{path}&sort={order}")[0]
        pages = [service.get(f"{path}&offset={offset}")[0]
                 for offset in range(0, rows, max(1, rows // 40))]
        return {"seconds": seconds, "pages": pages, "memory": service.memory()}


def measure_load(tool, store):
    with Service(tool, store) as service:
        profile = json.loads(service.get("/profiles")[1])["profiles"][0]["id"]
        path = f"/profiles/{profile}/analyzers/event?limit=50"
        service.get(path)
        load = Load(service, path, CONNECTIONS)
        capacity = load.saturate(LOAD_SECONDS)
        alone = load.offer(min(20, capacity / 20), LOAD_SECONDS)
        half = load.offer(capacity / 2, LOAD_SECONDS)
        before = service.memory()
        idle = [Peer(service) for _ in range(100)]
        beside = load.offer(min(20, capacity / 20), LOAD_SECONDS)
        after = service.memory()
        for peer in idle:
            peer.close()
        load.close()
        return {"capacity": capacity, "alone": alone, "half": half,
                "with idle": beside,
                "idle bytes": after["RssAnon"] - before["RssAnon"]}


def format_ms(values):
    values = [1000 * each for each in values]
    return (f"median {statistics.median(values):.2f} ms, 99% "
            f"{harness.quantile(values, 0.99):.2f} ms, max {max(values):.2f} ms")


def print_paint(name, result):
    beyond = [paint - plain for paint, plain
              in zip(result["paint"], result["import"])]
    print(f"{name}: import {statistics.median(result['import']):.2f} s, upload "
          f"to first answers {statistics.median(result['paint']):.2f} s, beyond "
          f"import {statistics.median(beyond):.2f} s; service "
          f"{result['memory']['VmHWM'] >> 20} MB at most, its own "
          f"{result['memory']['RssAnon'] >> 20} MB; stored "
          f"{sum(result['stored'].values()) >> 20} MB")


def print_results(results):
    if windows := results.get("windows"):
        print(f"window: cold {1000 * windows['cold']:.1f} ms")
        for zoom, seconds in windows["zooms"].items():
            print(f"  1/{zoom}: first {format_ms(seconds['first'])}; warm "
                  f"{format_ms(seconds['warm'])}")
        memory = windows["memory"]
        print(f"  after windows, tables and an event: "
              f"{memory['VmRSS'] >> 20} MB, its own {memory['RssAnon'] >> 20} MB")
    if tables := results.get("tables"):
        print("table: " + ", ".join(f"{name} {1000 * value:.0f} ms" for name, value
                                    in tables["seconds"].items()))
        print(f"  pages: {format_ms(tables['pages'])}")
    if load := results.get("load"):
        print(f"capacity: {load['capacity']:.0f} requests/s")
        for name in ("alone", "half", "with idle"):
            print(f"  {name}: {format_ms(load[name])}")
        ratio = (harness.quantile(load["half"], 0.99)
                 / harness.quantile(load["alone"], 0.99))
        print(f"  99% at half of the capacity: {ratio:.1f} times that alone; "
              f"100 idle connections: {load['idle bytes'] >> 10} KiB")
    for name in ("first", "trace"):
        if name in results:
            print_paint(name, results[name])
    if peer := results.get("xprof"):
        print(f"XProf's trace viewer: {peer['seconds']:.2f} s, "
              f"{peer['peak'] >> 20} MB")


def measure(arguments, folder):
    results = {"machine": harness.machine()}
    recording = os.path.join(folder, "events.json")
    write_trace(recording, arguments.events, 500)
    results["first"] = first_paint(arguments.tool, recording, folder,
                                   arguments.rounds)
    store = os.path.join(folder, "paint0")
    results["windows"] = measure_windows(arguments.tool, store)
    results["load"] = measure_load(arguments.tool, store)
    results["tables"] = measure_tables(arguments.tool, folder, arguments.rows)
    if arguments.trace:
        place = os.path.join(folder, "trace")
        os.mkdir(place)
        results["trace"] = first_paint(arguments.tool, arguments.trace, place,
                                       arguments.rounds)
    if arguments.trace and arguments.xprof:
        out = subprocess.run(
            [sys.executable, os.path.join(HERE, "xprof_viewer.py"),
             arguments.xprof, arguments.trace],
            check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        results["xprof"] = json.loads(out)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trace", nargs="?", help="a recording that XProf reads")
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--xprof", help="XProf's program")
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the numbers here")
    arguments = parser.parse_args()
    arguments.tool = os.path.abspath(arguments.tool)
    with tempfile.TemporaryDirectory() as folder:
        results = measure(arguments, folder)
    print_results(results)
    if arguments.json:
        harness.write_json(arguments.json, results)


if __name__ == "__main__":
    main()
