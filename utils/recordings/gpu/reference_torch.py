# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the expected figures of recordings of PyTorch on a GPU.

  reference_torch.py [--check] FOLDER...

Reads FOLDER/trace.json.gz, FOLDER/inductor.json and ../models/MODEL.mlir with
Python's json and regular expressions only, and writes FOLDER/expected.json; with
--check compares instead. All times are picoseconds, from the decimal text of ts
and dur. `definitions` in the file says how each number is meant.
"""

import collections
import gzip
import json
import os
import re
import sys
from decimal import Decimal

DEFINITIONS = {
    "work": "events of kernels, copies and settings of memory, by category "
            "and name: count, sum of durations",
    "streams": "by device and stream: events, sum of durations, union",
    "devices": "unions over all streams of a device: all work, kernels, copies "
               "with settings; gaps of the first union from its begin to its "
               "end",
    "waits": "each gap split by the innermost event on the thread whose call "
             "launched the work that ended the gap: number of gaps, time; the "
             "largest, and the number of all",
    "copies": "by name of copies and settings: count, bytes, sum of durations",
    "launches": "work with a call of the runtime of the same correlation, and "
                "without; over the first work of each call: sums of begin of "
                "work minus begin (launch) and minus end (queue) of the call",
    "by_launch": "work by the name of the call that launched it",
    "by_op": "work by the innermost cpu_op around the call; '' without one",
    "replays": "for each replay of a graph, the number of pieces of work",
    "owners": "time of work by the ops of the module that own it: position of "
              "the op in the function's body, or several, joined by '+'",
    "unowned": "the rest, by reason",
}
DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
RUNTIME = ("cuda_runtime", "cuda_driver")
HOST = ("cpu_op", "user_annotation", "python_function") + RUNTIME


def picoseconds(text):
    value = Decimal(text) * 1000000
    assert value == int(value), text
    return int(value)


def load(folder):
    with gzip.open(f"{folder}/trace.json.gz", "rt", encoding="utf-8") as file:
        trace = json.load(file, parse_float=Decimal)
    events = []
    for place, event in enumerate(trace["traceEvents"]):
        if event["ph"] != "X" or event.get("cat") not in HOST + DEVICE:
            continue
        begin = picoseconds(event["ts"])
        events.append(dict(
            place=place, category=event["cat"], name=event["name"],
            track=(event["pid"], event["tid"]), begin=begin,
            end=begin + picoseconds(event["dur"]),
            arguments=event.get("args", {})))
    events.sort(key=lambda e: (e["begin"], -e["end"], e["place"]))
    return events


def duration(event):
    return event["end"] - event["begin"]


def union(events):
    """(total, gaps) of intervals in order; a gap is (begin, end, event)."""
    total, until, gaps = 0, None, []
    for event in events:
        if until is not None and event["begin"] > until:
            gaps.append((until, event["begin"], event))
        begin = event["begin"] if until is None else max(until, event["begin"])
        total += max(0, event["end"] - begin)
        until = event["end"] if until is None else max(until, event["end"])
    return total, gaps


def nest(events):
    """Gives each event of a thread its parent and children: of those around
    all of it, the innermost."""
    stacks = collections.defaultdict(list)
    for event in events:
        stack = stacks[event["track"]]
        while stack and stack[-1]["end"] <= event["begin"]:
            stack.pop()
        around = [x for x in stack if x["end"] >= event["end"]]
        event["parent"] = around[-1] if around else None
        event["children"] = []
        if around:
            around[-1]["children"].append(event)
        stack.append(event)


def innermost(events, begin, end):
    """Time in [begin, end) by the innermost of `events`, those of a thread. An
    event that outlasts the one around it hides that from then on."""
    times = collections.Counter()
    stack, changes = [], []

    def note(at):
        changes.append((at, stack[-1]["name"] if stack else ""))

    def close(at):
        while stack and stack[-1]["end"] <= at:
            last = stack.pop()
            note(last["end"])
    for event in events:
        if event["begin"] >= end:
            break
        close(event["begin"])
        while stack and stack[-1]["end"] < event["end"]:
            stack.pop()
        stack.append(event)
        note(event["begin"])
    close(end)
    name, at = "", begin
    for when, what in changes:
        if when >= end:
            break
        if when > begin:
            times[name] += when - at
            at = when
        name = what
    times[name] += end - at
    return {key: value for key, value in times.items() if value}


def count(rows, key, event, **more):
    row = rows.setdefault(key, dict(count=0, time_ps=0))
    row["count"] += 1
    row["time_ps"] += duration(event)
    for name, value in more.items():
        row[name] = row.get(name, 0) + value


def describe_devices(work, launch_of, host):
    streams, devices, waits = {}, {}, {}
    by_thread = collections.defaultdict(list)
    for event in host:
        if event["category"] != "user_annotation":
            by_thread[event["track"]].append(event)
    for device in sorted({e["track"][0] for e in work}):
        of_device = [e for e in work if e["track"][0] == device]
        busy, gaps = union(of_device)
        kernels = [e for e in of_device if e["category"] == "kernel"]
        copies = [e for e in of_device if e["category"] != "kernel"]
        for stream in sorted({e["track"][1] for e in of_device}):
            own = [e for e in of_device if e["track"][1] == stream]
            streams[f"{device}/{stream}"] = dict(
                events=len(own), sum_ps=sum(map(duration, own)),
                busy_ps=union(own)[0])
        devices[str(device)] = dict(
            busy_ps=busy, kernel_busy_ps=union(kernels)[0],
            copy_busy_ps=union(copies)[0], gaps=len(gaps),
            idle_ps=sum(end - begin for begin, end, _ in gaps))
        for begin, end, event in gaps:
            call = launch_of.get(event["place"])
            times = innermost(by_thread[call["track"]], begin, end) \
                if call else {"": end - begin}
            for name, time in times.items():
                row = waits.setdefault(name, dict(gaps=0, idle_ps=0))
                row["gaps"] += 1
                row["idle_ps"] += time
    return streams, devices, waits


def find_op(event):
    while event is not None and event["category"] != "cpu_op":
        event = event["parent"]
    return event


# ---------------------------------------------------------------- the module
SKIPPED = ("torch.constant.", "torch.prim.", "torch.vtensor.", "torch.operator",
           "func.return")


def read_module(folder):
    """[(position in the body, name as recordings have it)]."""
    ops, place = [], None
    name = os.path.basename(folder).split("-", 1)[0]
    with open(f"{folder}/../models/{name}.mlir") as file:
        for line in file:
            if re.match(r"  \s*\^bb0", line):
                place = 0
            found = re.match(r'    (?:%[\w:, %]+ = )?"([\w.]+)"\(', line)
            if place is None or not found:
                continue
            name = found[1]
            if not name.startswith(SKIPPED):
                parts = name.split(".")
                ops.append((place, f"{parts[1]}::{parts[2]}"))
            place += 1
    return ops


def align(units, ops):
    """Pairs of the longest common subsequence by name."""
    n, m = len(units), len(ops)
    best = [[0] * (m + 1) for _ in range(n + 1)]
    same = lambda i, j: units[i]["name"] in (ops[j][1], ops[j][1] + "_")
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            best[i][j] = best[i + 1][j + 1] + 1 if same(i, j) else \
                max(best[i + 1][j], best[i][j + 1])
    i = j = 0
    pairs = {}
    while i < n and j < m:
        if same(i, j):
            pairs[i] = j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def is_wrapper(event):
    name = event["name"]
    return event["category"] != "cpu_op" or "::" not in name or \
        name.startswith(("autograd::", "torch::autograd")) or ": " in name


def below(event):
    for child in event["children"]:
        yield child
        yield from below(child)


def add_units(event, known, units):
    """Outermost ops that the module has, or whose callees it does not have."""
    if event["category"] == "cpu_op" and not is_wrapper(event):
        hidden = event["name"] not in known and any(
            x["category"] == "cpu_op" and x["name"] in known
            for x in below(event))
        if not hidden:
            units.append(event)
            return
    for child in event["children"]:
        add_units(child, known, units)


def find_casts(host):
    """Casts that autocast puts before the op that it calls again, and their
    derivatives, which have their numbers."""
    casts, numbers = [], set()
    for event in host:
        if any(x["name"] == event["name"] for x in event["children"]):
            casts += [x for x in event["children"] if x["name"] == "aten::to"]
    for cast in casts:
        for event in (cast, *below(cast)):
            numbers.add(event["arguments"].get("Sequence number"))
    node = "autograd::engine::evaluate_function: ToCopyBackward0"
    return casts + [e for e in host if e["name"] == node
                    and e["arguments"].get("Sequence number") in numbers]


def get_phase(event):
    while event is not None:
        if event["name"].startswith("Optimizer."):
            return "optimizer"
        event = event["parent"]
    return ""


def join_calls(steps, host, ops, work_of):
    """Calls in order are the module's ops in order."""
    owners = {}
    known = {name for _, name in ops}
    for step in steps:
        units = []
        for event in step:
            add_units(event, known, units)
        units.sort(key=lambda e: (e["begin"], e["place"]))
        units = [e for e in units if get_phase(e) != "optimizer"]
        for unit, op in align(units, ops).items():
            event = units[unit]
            for inside in [event, *below(event)]:
                for work in work_of.get(inside["place"], ()):
                    owners[work["place"]] = (ops[op][0],)
    for cast in find_casts(host):
        for event in (cast, *below(cast)):
            for work in work_of.get(event["place"], ()):
                owners[work["place"]] = "cast by autocast"
    return owners


VIEW = re.compile(r"(view|permute|expand|getitem|transpose|t|unsqueeze|squeeze|"
                  r"select|slice)(_default)?(_\d+)?$")


def join_compiled(folder, steps_of_work, ops):
    """Kernels in order are inductor's handles in order, whose provenance names
    nodes of the traced program; the k-th of these is the module's k-th op."""
    with open(f"{folder}/inductor.json") as file:
        inductor = json.load(file)
    if len(inductor["provenance"]) != 1:
        return None
    maps, = inductor["provenance"].values()
    handles = sorted(maps["cppCodeToPost"],
                     key=lambda x: int(x.rsplit(":", 1)[1]))
    nodes = inductor["dynamo_nodes"]
    if len(nodes) != len(ops):
        return None
    place = {node["name"]: ops[k][0] for k, node in enumerate(nodes)}
    owners = {}
    for step in steps_of_work:
        left = list(handles)
        last = None
        for work in step:
            name = work["name"]
            goes_on = "split_k_kernel" in name or "splitKreduce" in name or \
                work["category"] == "gpu_memset" or "convertTensor" in name
            if name.startswith("triton_"):
                match = left and left[0].rsplit(":", 1)[0] == name
            else:
                match = left and left[0].startswith("extern_kernels.")
            if match and not (goes_on and work["category"] == "kernel"
                              and "split" in name):
                if goes_on:
                    # Before the kernel of its own call.
                    handle = left[0]
                else:
                    handle = left.pop(0)
                post = maps["cppCodeToPost"][handle]
                core = [x for x in post if not VIEW.match(x)] or post
                found = {y for x in core for y in maps["postToPre"].get(x, [])}
                last = tuple(sorted(place[x] for x in found if x in place))
            elif not goes_on:
                last = None
            if last:
                owners[work["place"]] = last
    return owners


def read(folder):
    """(host's events, work of devices, the call that launched each work)."""
    events = load(folder)
    host = [e for e in events if e["category"] in HOST]
    work = [e for e in events if e["category"] in DEVICE]
    nest([e for e in host if e["category"] != "user_annotation"
          or e["name"].startswith("Optimizer.")])
    for event in host:
        event.setdefault("parent", None)
        event.setdefault("children", [])
    calls = {e["arguments"]["correlation"]: e for e in host
             if e["category"] in RUNTIME}
    launch_of = {e["place"]: calls[e["arguments"]["correlation"]] for e in work
                 if e["arguments"].get("correlation") in calls}
    return host, work, launch_of


def main_of(folder):
    host, work, launch_of = read(folder)
    out = dict(definitions=DEFINITIONS, work={}, by_launch={}, by_op={},
               copies={})
    seen = set()
    launch = queue = first = 0
    for event in work:
        count(out["work"], f"{event['category']}: {event['name']}", event)
        call = launch_of.get(event["place"])
        count(out["by_launch"], call["name"] if call else "", event)
        op = find_op(call)
        count(out["by_op"], op["name"] if op else "", event)
        if event["category"] != "kernel":
            count(out["copies"], event["name"], event,
                  bytes=event["arguments"].get("bytes", 0))
        if call and call["place"] not in seen:
            seen.add(call["place"])
            first += 1
            launch += event["begin"] - call["begin"]
            queue += event["begin"] - call["end"]
    out["launches"] = dict(
        launched=len(launch_of), unlaunched=len(work) - len(launch_of),
        calls=first, launch_ps=launch, queue_ps=queue)
    out["streams"], out["devices"], waits = describe_devices(
        work, launch_of, host)
    largest = sorted(waits, key=lambda name: (-waits[name]["idle_ps"], name))
    out["waits"] = {name: waits[name] for name in largest[:10]}
    out["waits_in_all"] = len(waits)
    replays = collections.Counter(
        c["place"] for c in launch_of.values() if "GraphLaunch" in c["name"])
    out["replays"] = [replays[x] for x in sorted(replays)]
    add_owners(folder, out, host, work, launch_of)
    return out


def join_replays(folder, work, launch_of):
    """Pieces of work of a captured graph are those of the same model run op by
    op, in the same order: see the recording of that."""
    eager = folder.rsplit("-", 1)[0] + "-eager"
    if not os.path.exists(eager):
        return {}
    _, pieces, calls, owners = join(eager)
    steps = get_steps(calls[1])
    first = [e for e in pieces if launched_in(e, steps[0], calls[0])]
    owners_of_model = [owners.get(e["place"]) for e in first]
    found = {}
    replays = collections.defaultdict(list)
    for event in work:
        call = launch_of.get(event["place"])
        if call and "GraphLaunch" in call["name"]:
            replays[call["place"]].append(event)
    for events in replays.values():
        if len(events) == len(owners_of_model):
            for event, owner in zip(events, owners_of_model):
                found[event["place"]] = owner
    return found


def get_steps(host):
    return sorted((e for e in host if e["name"].startswith("ProfilerStep#")),
                  key=lambda e: e["begin"])


def inside(event, step):
    return step["begin"] <= event["begin"] < step["end"]


def launched_in(event, step, launch_of):
    return event["place"] in launch_of and \
        inside(launch_of[event["place"]], step)


PRODUCTS = {"aten::mm": 0, "aten::addmm": 1}


def read_products(folder):
    """{(rows, terms, columns): position} of the module's matrix products;
    None where several have these sizes."""
    name = os.path.basename(folder).split("-", 1)[0]
    with open(f"{folder}/../models/{name}.mlir") as file:
        lines = re.findall(r'^    (?:%.* = )?"[\w.]+"\(.*', file.read(), re.M)
    products = {}
    for place, line in enumerate(lines):
        found = re.search(r'"torch\.aten\.(mm|addmm)"', line)
        if found:
            shapes = re.findall(r"vtensor<\[(\d+),(\d+)\]", line)
            (rows, terms), (_, columns) = shapes[:2]
            key = int(rows), int(terms), int(columns)
            products[key] = None if key in products else place
    return products


def join_products(folder, host, work_of):
    """Without provenance of the whole graph: products with sizes of their own.
    All else stays without an owner."""
    products, owners = read_products(folder), {}
    for event in host:
        if event["name"] not in PRODUCTS or event["category"] != "cpu_op":
            continue
        first = PRODUCTS[event["name"]]
        (rows, terms), (_, columns) = \
            event["arguments"]["Input Dims"][first:first + 2]
        place = products.get((rows, terms, columns))
        for work in [x for child in (event, *below(event))
                     for x in work_of[child["place"]]]:
            if place is not None:
                owners[work["place"]] = (place,)
    return owners


def is_partial(folder):
    """Whether provenance does not cover the graph, so that only products have
    owners here."""
    if not os.path.exists(f"{folder}/inductor.json"):
        return False
    with open(f"{folder}/inductor.json") as file:
        return len(json.load(file)["dynamo_nodes"]) != len(read_module(folder))


def join(folder):
    """(host's events, work, (launches, host), owners)."""
    host, work, launch_of = read(folder)
    ops = read_module(folder)
    steps = get_steps(host)
    work_of = collections.defaultdict(list)
    for event in work:
        if event["place"] in launch_of:
            work_of[launch_of[event["place"]]["place"]].append(event)
    owners = None
    if os.path.exists(f"{folder}/inductor.json"):
        owners = join_compiled(
            folder, [[e for e in work if launched_in(e, s, launch_of)
                      and get_phase(launch_of[e["place"]]) != "optimizer"]
                     for s in steps], ops)
        if owners is None:
            owners = join_products(folder, host, work_of)
    if owners is None:
        roots = [e for e in host if e["category"] == "cpu_op"
                 and find_op(e["parent"]) is None]
        owners = join_calls([[e for e in roots if inside(e, s)]
                             for s in steps], host, ops, work_of)
        if folder.endswith("-graph"):
            owners.update(join_replays(folder, work, launch_of))
    return host, work, (launch_of, host), owners


def add_owners(folder, out, host, work, launch_of):
    owners = join(folder)[3]
    if is_partial(folder):
        out["has_partial_owners"] = True
    out["owners"], out["unowned"] = {}, {}
    for event in work:
        owner = owners.get(event["place"])
        if isinstance(owner, tuple):
            count(out["owners"], "+".join(map(str, owner)), event)
            continue
        call = launch_of.get(event["place"])
        reason = owner or (
            "graph" if call and "GraphLaunch" in call["name"] else
            get_phase(call) or "other")
        count(out["unowned"], reason, event)
    total = sum(map(duration, work))
    owned = sum(row["time_ps"] for row in out["owners"].values())
    out["owned_ppm"] = 1000000 * owned // total if total else 0


def main():
    folders = sys.argv[1:]
    check = folders[:1] == ["--check"]
    if not folders[check:]:
        sys.exit(__doc__)
    wrong = 0
    for folder in folders[check:]:
        folder = folder.rstrip("/")
        out = main_of(folder)
        if check:
            with open(f"{folder}/expected.json") as file:
                same = json.load(file) == json.loads(json.dumps(out))
            print(folder, "equal" if same else "DIFFERENT")
            wrong += not same
            continue
        with open(f"{folder}/expected.json", "w") as file:
            json.dump(out, file, indent=1)
            file.write("\n")
        print(folder, out["owned_ppm"], {key: row["time_ps"] // 1000
              for key, row in out["unowned"].items()})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
