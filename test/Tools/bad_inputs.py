#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives mlir-prof hostile inputs and checks that it keeps its promises.

usage: bad_inputs.py --tool=PATH [--forks=LIBRARY] FOLDER [GROUP...]

What must be refused ends with exit code 1, a message with a hint, and no file.
What may be read with a loss either is refused like that, or ends with exit code
0, a readable profile, and a loss that says so. Nothing crashes, hangs or takes
more memory than there is input for.
"""

import argparse
import base64
import gzip
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys

import forks
import xplane_writer as x

TIMEOUT = 60
MEMORY = 4 << 30
CRASHES = ("PLEASE submit a bug report", "Sanitizer", "Assertion",
           "terminate called", "runtime error:")
MODEL = """\
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%x: tensor<4xf32>):
    %0 = "stablehlo.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("f/tanh")
    %1 = "stablehlo.add"(%0, %0) : (tensor<4xf32>, tensor<4xf32>)
      -> tensor<4xf32> loc("f/add")
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}
    : () -> ()
}) : () -> ()
"""


# A right file, of which the wrong ones are made ------------------------------

NAMES = {1: "fusion", 2: "train", 3: "end: fusion"}


def op_event(offset=1000, duration=5000, op="fusion"):
    return x.event(1, offset, duration, x.stat("hlo_op", op),
                   x.stat("hlo_module", "jit_f"), x.stat("program_id", 1),
                   x.stat("_p", 9))


def host_plane(events=None, **kwargs):
    if events is None:
        events = [x.event(2, 0, 9000, x.stat("step_num", 0)), op_event(),
                  x.event(3, 7000, 10, x.stat("_c", 9))]
    return x.plane("/host:CPU", [x.line(events, **kwargs)], NAMES)


def fused(calls=(2,), inner_calls=(), operands=(11,)):
    """A module with one fusion of tanh and add."""
    add = ("fusion", inner_calls) if inner_calls else ("add", ())
    return x.hlo([
        x.computation(2, "fused", [
            x.instruction(11, "p", "parameter"),
            x.instruction(12, "tanh", "tanh", "f/tanh", operands),
            x.instruction(13, "add", add[0], "f/add", [12, 12], add[1]),
        ], 13),
        x.computation(1, "main", [
            x.instruction(1, "x", "parameter"),
            x.instruction(2, "fusion", "fusion", "f/add", [1], calls),
        ], 2)])


def good(proto=None, events=None, **kwargs):
    return x.space(host_plane(events, **kwargs), x.metadata_plane(
        fused() if proto is None else proto), x.clock_plane())


def boundaries(data):
    """Where a cut leaves whole top-level fields."""
    position, found = 0, []
    while position < len(data):
        position += 1
        length = shift = 0
        while True:
            byte = data[position]
            position += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        position += length
        found.append(position)
    return found


# Running ---------------------------------------------------------------------

class Run:
    def __init__(self, code, out, err):
        self.code = code
        self.out, self.err = (text.decode("utf-8", "replace") for text in (out, err))


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Checker:
    def __init__(self, tool, folder, prepare, library=None):
        self.folder = folder
        self.results = os.path.join(folder, "results")
        self.count, self.failures = 0, []
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(self.results)
        self.model = self.file("model.mlir", MODEL.encode())
        self.tool = (forks.LoadedProgram(tool, prepare, library, folder) if library
                     else forks.Program(tool, prepare))

    def file(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def fail(self, what, run=None):
        self.failures.append(what)
        print(f"FAILED: {what}")
        if run:
            print(f"  exit code {run.code}\n  {run.err[:600]}")

    def run(self, name, *arguments, codes=(0, 1)):
        self.count += 1
        try:
            run = Run(*self.tool.run(arguments, TIMEOUT))
        except subprocess.TimeoutExpired:
            self.fail(f"{name}: does not end within {TIMEOUT} s")
            return None
        crash = [mark for mark in CRASHES if mark in run.err]
        if crash or run.code not in codes:
            self.fail(f"{name}: crashed", run)
            return None
        return run

    def check_refused(self, name, run):
        """Of a run that ended: exit code 1 and a hint."""
        if run.code != 1:
            self.fail(f"{name}: was not refused", run)
        elif "error:" not in run.err or "hint:" not in run.err:
            self.fail(f"{name}: refused without a hint", run)

    def import_file(self, name, path):
        """The run and the profile it wrote, if any; nothing else is left."""
        output = os.path.join(self.results, "out.mlprof")
        run = self.run(name, "import", path, "-o", output)
        left = sorted(os.listdir(self.results))
        if run and left != (["out.mlprof"] if run.code == 0 else []):
            self.fail(f"{name}: left {left}", run)
        data = None
        if os.path.exists(output):
            with open(output, "rb") as file:
                data = file.read()
        for item in left:
            os.remove(os.path.join(self.results, item))
        if data:
            self.check_readable(name, data)
        return run, data

    def check_readable(self, name, data):
        """What import wrote is read again, and as JSON again."""
        path = self.file("again.mlprof", data)
        as_json = os.path.join(self.folder, "again.json")
        for step in (("import", path, "--format=json", "-o", as_json),
                     ("import", as_json, "-o", os.devnull)):
            run = self.run(f"{name} (again)", *step)
            if not run or run.code:
                self.fail(f"{name}: what was written cannot be read", run)
                return

    def refused(self, name, data, says=""):
        """A file that cannot be read."""
        run, _ = self.import_file(name, self.file("input", data))
        if not run:
            return
        self.check_refused(name, run)
        if says not in run.err:
            self.fail(f"{name}: the message does not say '{says}'", run)

    def reported(self, name, path, *options):
        """The report of `path` by op, or None when it was refused."""
        run = self.run(name, "report", path, "--by=measured-op", "--format=json",
                       *options)
        if not run:
            return None
        if run.code:
            self.check_refused(name, run)
            return None
        try:
            return json.loads(run.out)
        except ValueError as error:
            self.fail(f"{name}: the report is not JSON: {error}", run)
            return None

    def tolerated(self, name, data, lossy=True):
        """A file that may be read, as long as nothing is lost silently."""
        path = self.file("input", data)
        run, written = self.import_file(name, path)
        if not run:
            return
        if run.code:
            self.check_refused(name, run)
            return
        report = self.reported(f"{name} (profile)",
                               self.file("input.mlprof", written))
        if report and lossy and not report["losses"]:
            self.fail(f"{name}: read without a loss", run)
        # The matcher must withstand it, too.
        self.reported(f"{name} (match)", path, f"--model={self.model}",
                      "--allow-unmatched")


# The cases -------------------------------------------------------------------

def truncated(check):
    """Every prefix of a small file."""
    used = ("hlo_op", "hlo_module")
    event = x.event(1, 0, 5, x.stat("hlo_op", "f"), x.stat("hlo_module", "m"))
    proto = x.hlo([x.computation(1, "c", [
        x.instruction(1, "f", "tanh", "f/tanh")], 1)], "m")
    data = x.space(
        x.plane("/host:CPU", [x.line([event])], {1: "f"}, stats=used),
        x.metadata_plane(proto, "m(1)", ("Hlo Proto", "program_id")))
    whole = boundaries(data)
    for size in range(len(data) + 1):
        name = f"cut at byte {size}"
        run, _ = check.import_file(name, check.file("input", data[:size]))
        if not run:
            continue
        if size not in whole:
            check.check_refused(name, run)
        elif run.code:
            check.fail(f"{name}: a whole prefix was refused", run)
    report = check.reported("without its HLO", check.file(
        "input", data[:whole[0]]))
    if report and not any("HLO" in loss["name"]
                          for loss in report["losses"]):
        check.fail(f"the missing HLO proto is not named: {report['losses']}")


def not_a_trace(check):
    generator = random.Random(1)
    check.refused("empty", b"")
    check.refused("text", b"once upon a time\n" * 50)
    check.refused("zeros", bytes(4096))
    check.refused("ELF", b"\x7fELF\x02\x01\x01" + bytes(500))
    check.refused("PNG", b"\x89PNG\r\n\x1a\n" + bytes(500))
    check.refused("MLIR", MODEL.encode())
    for i in range(8):
        check.refused(f"random {i}", generator.randbytes(1 << 3 * i // 2 + 4))
    check.tolerated("random fields", b"".join(
        x.text(generator.randrange(1, 9), generator.randbytes(9))
        for _ in range(50)))
    run, _ = check.import_file("missing", os.path.join(check.folder, "none"))
    check.check_refused("missing", run)
    run, _ = check.import_file("folder", check.folder)
    check.check_refused("folder", run)


def claims(check, name, length):
    """Messages on each level that are as long as `length` says."""
    plane = host_plane()
    check.refused(f"plane of {name}",
                  good() + x.claim(1, length(plane), plane))
    line = x.line([op_event()])
    check.refused(f"line of {name}", x.space(
        x.plane("/host:CPU", [], NAMES) + x.claim(3, length(line), line)))
    event = op_event()
    check.refused(f"event of {name}", x.space(x.plane(
        "/host:CPU", [x.claim(4, length(event), event)], NAMES)))
    stat = x.stat("hlo_op", "fusion")
    check.refused(f"stat of {name}", good(events=[
        x.event(1, 0, 5) + x.claim(4, length(stat), stat)]))
    module = x.hlo_module([x.computation(1, "main", [
        x.instruction(2, "fusion", "tanh", "f/tanh")], 2)])
    check.tolerated(f"HLO of {name}", good(x.claim(1, length(module), module)))


def wire(check):
    """Violations of protobuf's encoding."""
    for length in ((1 << 31) - 1, (1 << 32) - 1, 1 << 32, 1 << 63,
                   (1 << 64) - 1):
        claims(check, f"{length} bytes", lambda value: length)
    # What is left of such a length in 32 bits is right.
    claims(check, "4 GiB too much", lambda value: len(value) + (1 << 32))
    check.refused("varint of 11 bytes", good() + b"\x0a" + b"\xff" * 11)
    check.refused("wire type 6", good() + b"\x0e\x01")
    check.refused("field 0", good() + b"\x02\x01a")
    check.tolerated("group", good() + b"\x0b\x0c", lossy=False)
    check.tolerated("unknown field", good() + x.text(99, "future"),
                    lossy=False)


def wrong_types(check):
    """Known fields with another wire type than they should have."""
    check.tolerated("planes as numbers", x.number(1, 5) * 20)
    check.tolerated("a plane as number", good() + x.number(1, 5))
    check.tolerated("a name as number", good() +
                    x.space(x.number(2, 5) + x.text(3, x.line([op_event()]))))
    check.tolerated("times as text", good(events=[
        x.number(1, 1) + x.text(2, "soon") + x.text(3, "long")]))
    check.tolerated("hlo_op as number", good(events=[
        x.event(1, 0, 5, x.stat("hlo_op", 3), x.stat("hlo_module", 4))]),
        lossy=False)
    check.tolerated("program_id as text", good(events=[
        x.event(1, 0, 5, x.stat("hlo_op", "fusion"),
                x.stat("hlo_module", "jit_f"), x.stat("program_id", "one"))]),
        lossy=False)
    check.tolerated("HLO proto as text", x.space(host_plane(), x.plane(
        "/host:metadata", names={1: "jit_f(1)"},
        metadata_stats={1: [x.stat("Hlo Proto", "no proto")]}),
        x.clock_plane()))
    check.tolerated("instructions as numbers", good(
        x.text(1, x.text(1, "jit_f") + x.text(3, x.number(2, 1) * 9))))


def references(check):
    """Ids of what is not there, and of what is there twice."""
    check.tolerated("no event metadata", good(events=[x.event(77, 0, 5)]))
    check.tolerated("no stat metadata", good(events=[
        x.event(1, 0, 5, x.number(1, 77) + x.number(4, 1))]))
    check.tolerated("no text to refer to", good(events=[
        x.event(1, 0, 5, x.number(1, x.IDS["hlo_op"]) + x.number(7, 77))]))
    check.tolerated("no instruction", good(events=[op_event(op="other")]))
    check.tolerated("no HLO proto", x.space(host_plane(), x.clock_plane()))
    report = check.reported("a right file", check.file("input", good()))
    if not report or report["losses"]:
        check.fail(f"a right file: report {report}")
    check.tolerated("no operand", good(fused(operands=(99,))), lossy=False)
    check.tolerated("no computation", good(fused(calls=(99,))), lossy=False)
    check.tolerated("the same ids twice", good(x.hlo([x.computation(
        1, "main", [x.instruction(2, "fusion", "tanh", "f/tanh")] * 3, 2)] * 2
    )), lossy=False)
    check.tolerated("two completions", good(events=[
        op_event(), x.event(3, 7000, 1, x.stat("_c", 9)),
        x.event(3, 8000, 1, x.stat("_c", 9))]), lossy=False)
    run = check.run("no HLO proto, a module", "report",
                    check.file("input", x.space(host_plane())),
                    f"--model={check.model}")
    if run:
        check.check_refused("no HLO proto, a module", run)
    unrelated = check.file("unrelated.mlir", b"module {}\n")
    run = check.run("unrelated module", "report",
                    check.file("input", good()), f"--model={unrelated}")
    if run:
        check.check_refused("unrelated module", run)
        if "coverage 0" not in run.err:
            check.fail("unrelated module: coverage 0 is not named", run)


def cycles(check):
    check.tolerated("a fusion of itself", good(fused(calls=(1,))),
                    lossy=False)
    check.tolerated("fusions of each other", good(fused(inner_calls=(2,))),
                    lossy=False)
    check.tolerated("its own operand", good(fused(operands=(12,))),
                    lossy=False)
    check.tolerated("operands in a circle", good(fused(operands=(13,))),
                    lossy=False)
    depth = 5000
    chain = [x.computation(i, f"c{i}", [
        x.instruction(1, f"fusion{i}" if i > 1 else "fusion", "fusion",
                      "f/add", calls=(i + 1,))], 1) for i in range(1, depth)]
    check.tolerated(f"{depth} fusions in each other", good(x.hlo(chain)),
                    lossy=False)
    row = [x.instruction(2, "fusion", "bitcast")] + [
        x.instruction(i, f"b{i}", "bitcast", operands=(i - 1,))
        for i in range(3, 20000)]
    check.tolerated("20000 bitcasts in a row", good(x.hlo([
        x.computation(1, "main", row, 2)])), lossy=False)
    # Each computation calls the next one twice: 2^40 paths.
    tree = [x.computation(i, f"c{i}", [
        x.instruction(1, "fusion" if i == 1 else f"a{i}", "fusion", "f/add",
                      calls=(i + 1,)),
        x.instruction(2, f"b{i}", "fusion", "f/add", calls=(i + 1,))], 1)
        for i in range(1, 40)]
    check.tolerated("2^40 paths", good(x.hlo(tree)), lossy=False)
    bitcasts = [x.instruction(2, "b2", "bitcast")] + [
        x.instruction(i, f"b{i}", "bitcast", operands=(i - 1,))
        for i in range(3, 8000)]
    check.tolerated("8000 measured bitcasts in a row", good(x.hlo([
        x.computation(1, "main", bitcasts, 2)]), [
            op_event(i, 1, f"b{i}") for i in range(2, 8000)]))
    shape = b""
    for _ in range(3000):
        shape = x.text(4, shape)
    check.tolerated("3000 tuples in each other", good(x.hlo([x.computation(
        1, "main", [x.instruction(2, "fusion", "tanh", "f/tanh") +
                    x.text(3, shape)], 2)])), lossy=False)


def times(check):
    low, high = -(1 << 63), (1 << 63) - 1
    for name, offset, duration, timestamp in (
            ("negative duration", 0, -5, 0),
            ("lowest duration", 0, low, 0),
            ("begin and duration overflow", high, high, 0),
            ("timestamp overflows", 0, 5, high),
            ("lowest timestamp", 0, 5, low),
            ("offset and timestamp overflow", high, 5, high // 1000)):
        check.tolerated(name, good(events=[op_event(offset, duration)],
                                   timestamp=timestamp))
    check.tolerated("sum overflows", good(events=[
        op_event(i, high // 2) for i in range(8)]))
    check.tolerated("negative offset", good(events=[op_event(-5, 9)]),
                    lossy=False)
    check.tolerated("no duration", good(events=[op_event(5, 0)] * 9),
                    lossy=False)
    check.tolerated("out of order", good(events=[
        op_event(100 - i, 5) for i in range(50)]), lossy=False)


def names(check):
    """Whatever stands in names, a report stays valid JSON."""
    for label in ("\xff\xfe".encode("latin-1"), b"a\0b", b"\"quoted\"\n\t\\",
                  b"\xed\xa0\x80", b"", b"n" * 100000,
                  "\U0001F525 \u202e".encode(), b"\x1b[31mred"):
        data = x.space(
            x.plane("/host:CPU",
                    [x.line([x.event(1, 0, 5)], name=label)], {1: label}))
        path = check.file("input", data)
        run = check.run(f"name {label[:9]}", "report", path, "--by=event",
                        "--format=json")
        if run and run.code:
            check.check_refused(f"name {label[:9]}", run)
        elif run:
            try:
                json.loads(run.out)
            except ValueError as error:
                check.fail(f"name {label[:9]}: no JSON: {error}", run)


def compressed(check):
    data = gzip.compress(good(), mtime=0)
    for size in range(2, len(data), 7):
        check.refused(f"gzip cut at byte {size}", data[:size])
    broken = bytearray(data)
    broken[-5] ^= 1
    check.refused("gzip with a wrong checksum", bytes(broken))
    bomb = x.text(1, x.text(3, b"\x12\x00" * 20000000))
    check.tolerated("20 million instructions", good(bomb))
    check.refused("gzip of nothing", gzip.compress(b""))
    check.refused("gzip of text", gzip.compress(b"once upon a time " * 99))
    check.tolerated("gzip and more", data + b"more")


def large_compressed(check):
    """Compressed files that might hold more than there may be memory for, and
    whose last part is small."""
    noise = base64.b64encode(random.Random(5).randbytes(9 << 19))
    event = b'{"ph":"X","name":"e","pid":1,"tid":1,"ts":1,"dur":2}'
    trace = b'{"traceEvents":[' + event + b'],"noise":"' + noise
    for name, parts in (
            ("trace events", (trace, b'"}')),
            ("xplane", (x.space(x.plane("/host:other", names={1: noise})),
                        good()))):
        path = check.file("input", b"".join(
            gzip.compress(part, 1, mtime=0) for part in parts))
        run, _ = check.import_file(f"large gzip of {name}", path)
        if run and run.code:
            check.fail(f"large gzip of {name} was refused", run)


def interned(check):
    """Perfetto traces whose interned ids are far apart."""
    def packet(sequence, *ids):
        tables = b"".join(
            x.text(table, x.number(1, i) + x.text(2, "n"))
            for i in ids for table in (1, 2, 3, 29))
        event = b"".join((x.number(9, 1), x.number(11, 7), x.text(23, "e")))
        return x.text(1, b"".join((
            x.number(8, 5), x.text(11, event), x.number(10, sequence),
            x.number(13, 1), x.text(12, tables))))
    ids = [1023]
    while len(ids) < 22:
        ids.append(2 * ids[-1] + 1025)
    check.tolerated("ids that double", packet(1, *ids))
    check.tolerated("large ids in many sequences", b"".join(
        packet(sequence, *ids[:4]) for sequence in range(1, 20001)))


def json_forms(check):
    data = json.dumps({"planes": [{"id": "1", "name": "/host:CPU", "lines": [{
        "id": "7", "timestampNs": "5", "events": [
            {"metadataId": "1", "offsetPs": "3", "durationPs": "4"}]}],
        "eventMetadata": {"1": {"id": "1", "name": "a"}}}]}).encode()
    check.tolerated("right JSON", data, lossy=False)
    for size in range(1, len(data), 11):
        check.refused(f"JSON cut at byte {size}", data[:size])
    check.refused("other JSON", b'{"hello": [1, 2, 3]}')
    check.refused("100000 brackets", b'{"planes": ' + b"[" * 100000)
    check.refused("100000 brackets, closed",
                  b'{"planes": ' + b"[" * 100000 + b"]" * 100000 + b"}")
    for old, new in ((b'"4"', b'"4x"'), (b'"4"', b'"99999999999999999999"'),
                     (b'"4"', b"1e99"), (b'"4"', b"[4]"), (b'"4"', b"null"),
                     (b'"4"', b'"-4"')):
        name = f"JSON with {new.decode()}"
        check.tolerated(name, data.replace(old, new, 1), lossy=False)


def outputs(check):
    """Output that cannot be written; root may write anywhere else."""
    path = check.file("input", good())
    folder = os.path.join(check.folder, "a-folder")
    os.makedirs(folder)
    for target in (folder, "/dev/full", "/dev/null/out.mlprof",
                   os.path.join(check.folder, "none", "out.mlprof")):
        for form in ("mlprof", "json"):
            name = f"{form} to {target}"
            run = check.run(name, "import", path, f"--format={form}", "-o",
                            target)
            if run:
                check.check_refused(name, run)
        run = check.run(f"report to {target}", "report", path, "-o", target)
        if run:
            check.check_refused(f"report to {target}", run)
    if os.listdir(folder):
        check.fail(f"left {os.listdir(folder)} in {folder}")


def profiles(check):
    """*.mlprof files that were damaged, or come from the future."""
    run, data = check.import_file("right", check.file("input", good()))
    if not data:
        check.fail("the right file was not imported", run)
        return

    def refused(name, content):
        run = check.run(name, "report", check.file("bad.mlprof", content))
        if run:
            check.check_refused(name, run)
        return run

    step = max(len(data) // 100, 1)
    for position in range(0, len(data), step):
        changed = bytearray(data)
        changed[position] ^= 0x55
        refused(f"profile with another byte {position}", bytes(changed))
        if position:
            refused(f"profile cut at byte {position}", data[:position])
    refused("two profiles", data + data)
    newer = data[:8] + (2).to_bytes(2, "little") + data[10:]
    run = refused("profile of version 2", newer)
    if run and "version" not in run.err:
        check.fail("profile of version 2: the version is not named", run)


#: What stands for a number in profiles that are wrong.
NUMBERS = ("0", "1", "-1", "2", "7", "65536", "4294967294", "4294967295",
           "18446744073709551615", "9223372036854775807",
           "-9223372036854775808", '"x"', "null", "1e300")


def programs(check):
    """Recordings of our own with other numbers in their programs: refused, or
    every table of every level can be made."""
    source = os.path.join(os.path.dirname(__file__), "..", "data", "profiles",
                          "v1.1.json")
    with open(source, encoding="utf-8") as file:
        text = file.read()
    numbers = [match.span() for match in re.finditer(
        r'(?<=[:\[, ])"?-?\d+"?(?=[,\]\}\n ])', text)]
    shows = [("report", "--by=" + by) for by in (
        "loop", "chain", "call-tree", "value", "roofline", "split", "thread")]
    shows += [(verb, "--level=" + level) for verb in (
        "report", "annotate", "graph") for level in ("input", "loops", "asm")]
    shows += [("export", "--format=lwp-csv"), ("export", "--format=lwp-json")]
    choose = random.Random(22)
    for case in range(150):
        wrong = text
        for begin, end in sorted(choose.sample(
                numbers, choose.choice((1, 2, 10))), reverse=True):
            wrong = wrong[:begin] + choose.choice(NUMBERS) + wrong[end:]
        path = check.file("wrong.json", wrong.encode())
        verb, option = choose.choice(shows)
        options = [] if verb == "export" else ["--allow-unmatched"]
        run = check.run(f"program {case} {verb} {option}", verb, path, option,
                        "-o", os.devnull, *options, codes=(0, 1, 2))
        if run and run.code and "hint:" not in run.err:
            check.fail(f"program {case}: refused without a hint", run)


GROUPS = dict(truncated=truncated, not_a_trace=not_a_trace, wire=wire,
              wrong_types=wrong_types, references=references, cycles=cycles,
              times=times, names=names, compressed=compressed,
              large_compressed=large_compressed, interned=interned,
              json=json_forms, outputs=outputs, profiles=profiles,
              programs=programs)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", help="for files; what is there is removed")
    parser.add_argument("groups", nargs="*", metavar="GROUP",
                        help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--tool", default="mlir-prof", help="the mlir-prof")
    parser.add_argument("--forks", metavar="LIBRARY",
                        help="Inputs/forks.c; by default each run is loaded anew")
    parser.add_argument("--no-memory-limit", action="store_true",
                        help="for builds with sanitizers, which reserve more")
    arguments = parser.parse_args()
    check = Checker(arguments.tool, arguments.folder,
                    None if arguments.no_memory_limit else limit_memory,
                    arguments.forks)
    for name in arguments.groups or GROUPS:
        GROUPS[name](check)
    check.tool.close()
    print(f"{check.count} runs, {len(check.failures)} failures")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
