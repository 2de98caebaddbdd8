#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes a small model, with inputs as they should be and as they should not.

usage: optimize.py TOOL SCRATCH [CASE...]

Times decide nothing here: a test never asks which choice has won.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "test/lib"))
from json_schema import Schema  # noqa: E402

PRODUCT = """
  %{n}e = tensor.empty() : tensor<{rows}x{columns}xf32>
  %{n}f = linalg.fill ins(%zero : f32) outs(%{n}e : tensor<{rows}x{columns}xf32>)
    -> tensor<{rows}x{columns}xf32>
  %{n} = linalg.matmul ins({x}, %{n}w : tensor<{rows}x{inner}xf32>,
    tensor<{inner}x{columns}xf32>)
    outs(%{n}f : tensor<{rows}x{columns}xf32>) -> tensor<{rows}x{columns}xf32>
"""


def weights(sizes):
    lines = []
    for name, size in sizes.items():
        values = [(7 * i % 17 - 8) / 8 for i in range(size)]
        data = struct.pack(f"<{size}f", *values).hex()
        lines.append(f'      {name}: "0x04000000{data}"')
    return ("\n{-#\n  dialect_resources: {\n    builtin: {\n" +
            ",\n".join(lines) + "\n    }\n  }\n#-}\n")


def model(rows=77, more=""):
    """A convolution, and two products with an op between them. `more` is
    another op behind."""
    shape = f"tensor<{rows}x60xf32>"
    last, result = "%q", f"tensor<{rows}x24xf32>"
    if more:
        last = "%m"
        more = (f"  %m = linalg.{more} ins(%q : {result}) outs(%qe : {result}) "
                f"-> {result}\n")
    return f"""
func.func @main(%x: tensor<{rows}x100xf32>, %image: tensor<1x14x14x16xf32>)
    -> ({result}, tensor<1x12x12x16xf32>) {{
  %zero = arith.constant 0.0 : f32
  %pw = arith.constant dense_resource<p> : tensor<100x60xf32>
  %qw = arith.constant dense_resource<q> : tensor<60x24xf32>
  %k = arith.constant dense_resource<k> : tensor<3x3x16x16xf32>
{PRODUCT.format(n="p", x="%x", rows=rows, inner=100, columns=60)}
  %a = linalg.abs ins(%p : {shape}) outs(%pe : {shape}) -> {shape}
{PRODUCT.format(n="q", x="%a", rows=rows, inner=60, columns=24)}
{more}
  %ce = tensor.empty() : tensor<1x12x12x16xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x12x12x16xf32>)
    -> tensor<1x12x12x16xf32>
  %c = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : tensor<2xi64>,
      strides = dense<1> : tensor<2xi64>}}
    ins(%image, %k : tensor<1x14x14x16xf32>, tensor<3x3x16x16xf32>)
    outs(%cf : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>
  return {last}, %c : {result}, tensor<1x12x12x16xf32>
}}
""" + weights({"p": 100 * 60, "q": 60 * 24, "k": 9 * 16 * 16})


def large_copies():
    """A convolution that takes 400 MB as a product, and 10 MB as it is."""
    return """
func.func @main(%image: tensor<1x186x186x64xf32>, %k: tensor<7x7x64x4xf32>)
    -> tensor<1x180x180x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x180x180x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x180x180x4xf32>)
    -> tensor<1x180x180x4xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>,
      strides = dense<1> : tensor<2xi64>}
    ins(%image, %k : tensor<1x186x186x64xf32>, tensor<7x7x64x4xf32>)
    outs(%f : tensor<1x180x180x4xf32>) -> tensor<1x180x180x4xf32>
  return %c : tensor<1x180x180x4xf32>
}
"""


OTHER = """
func.func @main(%x: tensor<64xi32>) -> tensor<64xi32> {
  %e = tensor.empty() : tensor<64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                        affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<64xi32>) outs(%e : tensor<64xi32>) {
    ^bb0(%a: i32, %b: i32):
      %c = arith.xori %a, %a : i32
      linalg.yield %c : i32
  } -> tensor<64xi32>
  return %r : tensor<64xi32>
}
"""


#: More than a search of these models needs on a machine that is busy: each ends when
#: nothing is left to try, so that the outcome does not depend on how fast the machine is.
BUDGET = "--budget=600s"


#: For a search that ends in the same way each time: the size of code stands for its
#: time.
WITHOUT_TIME = {"env": dict(os.environ, MLIR_PROF_TIMES="code")}


class Failure(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failure(text)


class Case:
    """A folder with a model in it, and the tool."""

    def __init__(self, tool, folder, text=None):
        self.tool, self.folder = tool, folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.model = self.write("model.mlir", text or model())

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.path(name)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def run(self, verb, *arguments, code=0, says=(), **keywords):
        """What it prints; `code` and all of `says` are expected."""
        command = [self.tool, verb, *map(str, arguments)]
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8",
                              **keywords)
        place = " ".join(command) + "\n" + done.stdout
        expect(done.returncode == code,
               f"exits with {done.returncode} instead of {code}: {place}")
        for text in [says] if isinstance(says, str) else says:
            expect(text in done.stdout, f"does not say '{text}': {place}")
        return done.stdout

    def optimize(self, *arguments, **keywords):
        return self.run("optimize", self.model, *arguments, **keywords)

    def search(self, *arguments, **keywords):
        """One that finds nothing to try, and so ends as soon as the model has
        been measured."""
        return self.optimize("--technique=versions", BUDGET, *arguments,
                             **keywords)

    def expect_right(self, path, *options):
        """`path` computes what the model does by plain loops."""
        results = self.folder / "naive"
        if not results.exists():
            self.run("record", self.model, "--pipeline=naive", "--mode=time",
                     "--iterations=1", f"--save-results={results}")
        self.run("record", path, "--mode=time", "--iterations=1", *options,
                 *[f"--compare={file.stem}={file}"
                   for file in sorted(results.iterdir())])

    def get_text(self, path, *options):
        """The code that `path` is built to."""
        file = self.path("code.o")
        self.run("record", path, "--mode=time", "--iterations=1",
                 f"--save-object={file}", *options)
        subprocess.run(["llvm-objcopy", "-O", "binary",
                        "--only-section=.text", file, file + ".text"],
                       check=True)
        return self.read("code.o.text")

    def get_signatures(self):
        """(hash, machine) of ops by a part of their label."""
        hashes = {}
        for kind in ("matmul", "conv_2d", "func.func", "abs"):
            done = subprocess.run(
                [self.tool, "optimize", self.model, "--budget=0",
                 f"--explain=linalg.{kind}" if "." not in kind else
                 f"--explain={kind}", f"--receipts={self.path('known.json')}"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                encoding="utf-8", check=True)
            hashes[kind] = re.search(r"hash ([0-9a-f]{32})", done.stdout)[1]
        machine = json.loads(self.read("known.json"))["machine"]
        return hashes, machine

    def plant(self, name, choices):
        """Writes decisions; `choices` are (kind of op, technique, choice)."""
        hashes, machine = self.get_signatures()
        decisions = [{
            "exact": hashes[kind], "shapeErased": "0" * 32,
            "neighborhood": "", "machine": machine, "technique": technique,
            "scope": "op", "choice": choice, "basis": "measured",
            "whenMs": "1", "producer": "test", "label": kind,
        } for kind, technique, choice in choices]
        return self.write(name, json.dumps({
            "format": "mlir-prof.decisions/1", "decisions": decisions,
            "observations": []}))


def get_trials(path):
    """What was tried and decided something: key and choice."""
    found = []
    for seen in json.loads(pathlib.Path(path).read_text())["observations"]:
        if seen["technique"] != "model" and "disturbed" not in seen.get(
                "reason", ""):
            found.append((seen["exact"], seen["technique"],
                          json.dumps(seen["choice"], sort_keys=True)))
    return found


#===----------------------------------------------------------------------===
# As it should be
#===----------------------------------------------------------------------===


def end_to_end(case):
    error = case.optimize(
        BUDGET, "-o", case.path("opt.mlir"), "--receipts",
        case.path("receipts.json"), "--decisions", case.path("decisions.db"))
    expect(" tried in " in error, error)
    subprocess.run(["mlir-opt", case.path("opt.mlir"), "-o", os.devnull],
                   check=True)
    receipts = json.loads(case.read("receipts.json"))
    for name, text in (("receipts", case.read("receipts.json")),
                       ("decisions", case.read("decisions.db"))):
        schema = json.loads((SOURCE / f"docs/schemas/{name}.json").read_text())
        error = Schema(schema).find_error(json.loads(text))
        expect(not error, error)
    expect(receipts["tolerance"] >= receipts["after"]["error"], receipts)
    for receipt in receipts["receipts"]:
        expect(receipt["outcome"] in ("kept", "rejected", "failed"), receipt)
        expect(receipt["ops"] and receipt["ops"][0]["location"], receipt)
        expect(not receipt["applied"] or receipt["outcome"] == "kept", receipt)
    # Each trial stands in both; "model" marks that the search is done. What was filed
    # stays true of the op when something better is kept after it; its receipt says so.
    kept = [seen for seen in json.loads(case.read("decisions.db"))["observations"]
            if seen["technique"] != "model"]
    told = [receipt["observation"] for receipt in receipts["receipts"]
            if receipt["origin"] == "search" and receipt["observation"]]
    for seen in told:
        if seen["outcome"] == "kept" and "a better one was found later" in seen["reason"]:
            seen["reason"] = ""
    key = json.dumps
    expect(sorted(map(key, kept)) == sorted(map(key, told)), (kept, told))
    case.expect_right(case.path("opt.mlir"))
    case.expect_right(case.model, f"--decisions={case.path('decisions.db')}")
    # The same code, whichever way it is built.
    decided = case.get_text(case.model,
                            f"--decisions={case.path('decisions.db')}")
    expect(case.get_text(case.path("opt.mlir")) == decided,
           "opt.mlir becomes other code than the model with the decisions")


PLANTED = [("conv_2d", "algorithm", {"name": "product"}),
           ("matmul", "tiles", {"rows": "5", "vectors": "2"}),
           ("matmul", "fusion", {"with": "none"}),
           ("abs", "threads", {"count": "1"})]


def local_trials(case):
    """Kernels are replaced in a model that runs; the result is built as any other."""
    said = case.optimize(
        BUDGET, "--trials=local", "--technique=tiles", "--effort=all",
        "-o", case.path("opt.mlir"), "--receipts", case.path("receipts.json"),
        "--decisions", case.path("decisions.db"),
        "--script", case.path("script.mlir"))
    expect("one by one:" not in said, said)
    receipts = json.loads(case.read("receipts.json"))["receipts"]
    error = Schema(json.loads(
        (SOURCE / "docs/schemas/receipts.json").read_text())).find_error(
            json.loads(case.read("receipts.json")))
    expect(not error, error)
    expect(all(receipt["outcome"] != "failed" for receipt in receipts), receipts)
    inside = [receipt for receipt in receipts if " in place: " in (receipt["reason"] or "")]
    kinds = {receipt["ops"][0]["op"].split()[0] for receipt in inside}
    expect("linalg.matmul" in kinds, kinds)
    # Only what was measured as a whole is applied.
    expect(not any(receipt["applied"] for receipt in inside), inside)
    case.expect_right(case.path("opt.mlir"))
    expect("to replay them in stock mlir-opt" in said, said)


def threads_locally(case):
    """Local trials are the default, with several threads, too."""
    for options, isLocal in (([], True), (["--trials=whole"], False)):
        case.optimize(
            BUDGET, "--threads=2", "--technique=tiles", *options, "-o",
            case.path("opt.mlir"), "--effort=all", "--receipts",
            case.path("receipts.json"), "--decisions",
            case.path(f"{isLocal}.db"))
        receipts = json.loads(case.read("receipts.json"))["receipts"]
        inside = [receipt for receipt in receipts
                  if " in place: " in (receipt["reason"] or "")]
        expect(receipts and bool(inside) == isLocal, receipts)


def decisions_without_time(case):
    """Decisions are taken without measuring anything, always in the same way."""
    planted = case.plant("decisions.db", PLANTED)
    for name in ("a", "b"):
        case.optimize("--budget=0", "-o", case.path(name + ".mlir"),
                      "--decisions", planted)
    expect(case.read("a.mlir") == case.read("b.mlir"), "two ways to write it")
    # By what is on them, and for algorithms by what they have become.
    text = case.read("a.mlir").decode()
    expect('tiles = {rows = "5", vectors = "2"}' in text, text[:4000])
    expect("conv_2d" not in text, text[:4000])
    case.expect_right(case.path("a.mlir"))
    decided = case.get_text(case.model, f"--decisions={planted}")
    expect(case.get_text(case.path("a.mlir")) == decided, "other code")
    expect(case.get_text(case.model) != decided, "decisions change nothing")
    # The one for the script is right, too.
    case.optimize("--budget=0", "-o", case.path("tagged.mlir"), "--decisions",
                  planted, "--script", case.path("script.mlir"),
                  says="to replay them in stock mlir-opt")
    case.expect_right(case.path("tagged.mlir"))


def nothing_learned(case):
    """A search without time leaves decisions to build with, if none."""
    arguments = ["--decisions", case.path("decisions.db")]
    case.optimize("--budget=0.01s", "-o", case.path("opt.mlir"), *arguments,
                  says="is too short to try anything")
    expect(not json.loads(case.read("decisions.db"))["decisions"], "decided")
    case.run("record", case.model, "--mode=time", "--iterations=1", *arguments)
    # Nobody asked for a search.
    case.optimize("--budget=0", "-o", case.path("opt.mlir"), "--decisions",
                  case.path("none.db"))
    expect(not os.path.exists(case.path("none.db")), "written")


def annotations(case):
    """What a profile writes on a model changes no code."""
    profile = case.path("run.mlprof")
    case.run("record", case.model, "--seconds=0.2", "--no-peak", "-o", profile)
    case.run("annotate", case.model, f"--profile={profile}", "-o",
             case.path("annotated.mlir"))
    expect(b"prof.data" in case.read("annotated.mlir"), "nothing annotated")
    expect(case.get_text(case.path("annotated.mlir")) ==
           case.get_text(case.model), "other code")


def taken_back(case):
    """A decision that makes the model slower is found out; then all is known."""
    slow = case.plant("decisions.db", [
        ("matmul", "code", {"for": "size"}),
        ("conv_2d", "code", {"for": "size"})])
    arguments = ["--technique=code", "--trials=whole", BUDGET, "--decisions", slow]
    case.optimize("-o", case.path("opt.mlir"), *arguments, **WITHOUT_TIME,
                  says=["the decisions of the database are not used: the model is "
                        "slower with them", "nothing is measured"])
    left = json.loads(case.read("decisions.db"))["decisions"]
    left = [entry for entry in left if entry["producer"] != "test" and
            ("matmul" in entry["label"] or "conv_2d" in entry["label"])]
    expect(len(left) == 2 and not any(entry["choice"] for entry in left), left)
    again = case.optimize(
        "-o", case.path("again.mlir"), *arguments,
        says=["nothing was searched", "nothing is left to try, so this machine's "
              "peak is not measured and the model not recorded"])
    # Not even built for a recording.
    expect("built with pipeline" not in again, again)
    # Without a build for a recording resources have other names.
    expect(case.get_text(case.path("again.mlir")) ==
           case.get_text(case.path("opt.mlir")), "other code")
    # Who asks about an op is told its time.
    case.optimize("--explain=linalg.matmul", *arguments,
                  says=["nothing was searched", " of the model"])


def failing_candidate(case):
    """A candidate that takes too much memory is noted, and not tried again."""
    arguments = ["--max-build=300", "--technique=algorithm", "--trials=whole", BUDGET,
                 "--decisions", case.path("decisions.db")]
    case.optimize("-o", case.path("opt.mlir"), *arguments, **WITHOUT_TIME,
                  says="1 candidate tried")
    seen = json.loads(case.read("decisions.db"))["observations"]
    expect([entry["outcome"] for entry in seen if
            entry["technique"] == "algorithm"] == ["failed"], seen)
    case.search("-o", case.path("plain.mlir"))
    expect(case.read("opt.mlir") == case.read("plain.mlir"), "differs")
    case.optimize("-o", case.path("again.mlir"), *arguments,
                  says="nothing was searched")


def interrupted(case):
    """Ctrl-C keeps what there is; the next run goes on from there."""
    database = case.folder / "decisions.db"
    for name in ("a", "b"):
        before = len(get_trials(database)) if database.exists() else 0
        process = subprocess.Popen(
            [case.tool, "optimize", case.model, BUDGET, "-o",
             case.path(name + ".mlir"), "--decisions", str(database)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            if database.exists() and len(get_trials(database)) > before:
                break
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=60)[0]
        expect(process.returncode == 0, f"{process.returncode}: {error}")
        expect("interrupted" in error or "nothing was searched" in error, error)
        case.expect_right(case.path(name + ".mlir"))
    trials = get_trials(database)
    expect(len(trials) == len(set(trials)), f"tried twice: {trials}")


def interrupted_early(case):
    """Ctrl-C while the model is recorded, before anything is searched, gives
    the model as it is."""
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen(
            [case.tool, "optimize", case.model, BUDGET, "-o",
             case.path("opt.mlir"), "--script", case.path("script.mlir"),
             "--receipts", case.path("receipts.json"), "--decisions",
             case.path("decisions.db")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        said = ""
        # That is what it says last before the recording of two seconds.
        while "built with pipeline" not in said:
            line = process.stdout.readline()
            expect(line, f"no recording: {said}")
            said += line
        process.send_signal(number)
        said += process.communicate(timeout=120)[0]
        expect(process.returncode == 0, f"{process.returncode}: {said}")
        expect("the interruption came before anything was tried" in said, said)
        expect("0 candidates tried" in said and "; interrupted" in said, said)
        receipts = json.loads(case.read("receipts.json"))
        expect(receipts["interrupted"] and not receipts["receipts"], receipts)
        left = sorted(file.name for file in case.folder.iterdir()
                      if file.name != "naive")
        expect(left == ["decisions.db", "decisions.db.lock", "model.mlir",
                        "opt.mlir", "receipts.json", "script.mlir"], left)
        case.expect_right(case.path("opt.mlir"))
        # Who builds with what was decided need not know that nothing was.
        decisions = json.loads(case.read("decisions.db"))
        expect(decisions["decisions"] == [], decisions)
        case.expect_right(case.model, "--decisions=" +
                          case.path("decisions.db"))
        for file in ("opt.mlir", "script.mlir", "receipts.json",
                     "decisions.db"):
            os.remove(case.path(file))


def at_once(case):
    """Two at once on one file: it holds what both have learned."""
    database, techniques = case.path("decisions.db"), ("versions", "branches")
    processes = [subprocess.Popen(
        [case.tool, "optimize", case.model, BUDGET, "--decisions",
         database, f"--technique={technique}", "-o",
         case.path(technique + ".mlir")], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8")
        for technique in techniques]
    for process in processes:
        error = process.communicate()[0]
        expect(process.returncode == 0, error)
        expect("not saved" not in error, error)
    for technique in techniques:
        case.optimize(BUDGET, "--decisions", database,
                      f"--technique={technique}", "-o",
                      case.path(technique + ".mlir"),
                      says="nothing was searched")


#===----------------------------------------------------------------------===
# As it should not be
#===----------------------------------------------------------------------===


def profiles(case):
    profile = case.path("run.json")
    case.run("record", case.model, "--seconds=0.3", "--no-peak",
             "--format=json", "-o", profile)
    output = ["-o", case.path("opt.mlir")]
    case.search(f"--profile={profile}", *output)
    case.expect_right(case.path("opt.mlir"))
    # Another machine.
    text = re.sub(r'("cpu": *)"[^"]*"', r'\1"Abacus 1"', case.read(
        "run.json").decode())
    expect("Abacus 1" in text, "no cpu in the profile")
    case.search(f"--profile={case.write('machine.json', text)}", *output,
                says="was recorded on another machine (Abacus 1): its times "
                "are not used")
    # Another build: an op more, and other shapes.
    for stale in (model(more="abs"), model(rows=64, more="abs")):
        case.write("model.mlir", stale)
        said = case.optimize(f"--profile={profile}", "--budget=0", *output,
                             says="is of another build of the model")
        # Of some ops there may be no samples.
        found = re.search(r"build of the model: ([0-9.]+) % of its time", said)
        expect(found and float(found[1]) >= 90, said)
    # Other shapes alone.
    case.write("model.mlir", model(rows=64))
    case.optimize(f"--profile={profile}", "--budget=0", *output)
    shutil.rmtree(case.folder / "naive")
    case.expect_right(case.path("opt.mlir"))
    # Another model, and none.
    case.write("model.mlir", OTHER)
    case.search(f"--profile={profile}", *output, code=1,
                says=["does not describe this model", "hint:"])
    for text in ("", "{", '{"schema": "something"}', "\0" * 100):
        case.search(f"--profile={case.write('bad.mlprof', text)}", *output,
                    code=1, says="bad.mlprof")
    case.search(f"--profile={case.path('none')}", *output, code=1,
                says="none")


def databases(case):
    output = ["-o", case.path("opt.mlir")]
    for text in ("", "{", "damaged", '{"schema": "mlir-prof.decisions/4"}',
                 '{"format": "mlir-prof.decisions/1", "decisions": 3}'):
        path = case.write("bad.db", text)
        case.search("--decisions", path, *output, code=1, says="bad.db")
        case.run("record", case.model, "--mode=time", "--iterations=1",
                 f"--decisions={path}", code=1, says="bad.db")
        expect(case.read("bad.db").decode() == text, "was written over")
    expect(not os.path.exists(case.path("opt.mlir")), "left an output")
    # What does not fit the op is no harm.
    path = case.plant("odd.db", [
        ("matmul", "algorithm", {"name": "winograd4"}),
        ("abs", "tiles", {"rows": "-1", "vectors": "1e99"}),
        ("func.func", "versions", {"1": "arg9.dim9=1", "2": "arg0=x", " ": ""}),
        ("func.func", "branches", {"trips": "18446744073709551615"}),
        ("conv_2d", "unheard", {"of": "it"}),
        ("conv_2d", "algorithm", {"name": ""}),
        ("conv_2d", "threads", {"count": "99999999999999999999"})])
    case.optimize("--budget=0", "--decisions", path, *output)
    subprocess.run(["mlir-opt", case.path("opt.mlir"), "-o", os.devnull],
                   check=True)
    case.expect_right(case.path("opt.mlir"))
    case.expect_right(case.model, f"--decisions={path}")
    # Read-only: it says so at once, whatever the search finds, and goes on.
    path = case.write("fixed.db", '{"format": "mlir-prof.decisions/1", '
                      '"decisions": [], "observations": []}')
    os.chmod(path, 0o444)
    before = case.read("fixed.db")
    error = case.optimize("--technique=fusion", BUDGET, "--decisions",
                          path, *output,
                          says="results are not saved: ")
    expect(error.count("not saved") == 1, error)
    expect(case.read("fixed.db") == before, "was written")
    case.expect_right(case.path("opt.mlir"))


def usage(case):
    output = ["-o", case.path("opt.mlir")]
    for arguments, code, says in (
            ([], 2, "needs -o FILE"),
            (["--script=s.mlir"], 2, "FILE"),
            (["--script=s.mlir", "-o", "-"], 2, "'--script' needs -o FILE"),
            (["--technique=magic", *output], 2,
             ["no technique 'magic'", "tiles"]),
            (["--technique=", *output], 2, "no technique ''"),
            (["--budget=soon", *output], 2, "'--budget=soon' is not a time"),
            (["--budget=-1s", *output], 2, "is not a time"),
            (["--budget=nan", *output], 2, "is not a time"),
            (["--budget=", *output], 2, "is not a time"),
            (["--tolerance=much", *output], 2, "--tolerance"),
            (["--max-build=0", *output], 2, "--max-build"),
            (["--explain=nothing_like_it", "--budget=0"], 1,
             "no op has this"),
            (["-o", "/nowhere/opt.mlir"], 1, "/nowhere/opt.mlir"),
            (["--receipts=/nowhere/r.json", *output], 1, "/nowhere/r.json"),
            (["--script=/nowhere/s.mlir", *output], 1, "/nowhere/s.mlir"),
            (["--decisions=/nowhere/d.db", "--budget=0", *output], 0, []),
            (["--decisions", str(case.folder), *output], 1,
             str(case.folder)),
            (["--shape=x=3x100", "--budget=0", *output], 1, "x"),
            (["--input=x=" + case.path("none.npy"), *output], 1, "none.npy"),
    ):
        # A search would take longer than anybody waits.
        budget = [] if any("budget" in a for a in arguments) else [
            "--budget=100000s"]
        case.optimize(*arguments, *budget, code=code, says=says, timeout=60)
    case.run("optimize", code=2, says="needs exactly one model")
    case.run("optimize", case.path("none.mlir"), *output, code=1,
             says="none.mlir")
    for text in ("", "module {}", "func.func @main("):
        case.run("optimize", case.write("bad.mlir", text), *output, code=1,
                 says="bad.mlir")


def no_input(case):
    """A closed standard input is none that anything waits for."""
    command = ["sh", "-c", 'exec "$@" <&-', "sh", case.tool, "optimize",
               case.model, BUDGET, "--technique=versions", "-o",
               case.path("opt.mlir")]
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8")
    expect(done.returncode == 0, done.stdout)
    case.expect_right(case.path("opt.mlir"))
    # The model comes from there.
    with open(case.model) as file:
        case.run("optimize", "-", "--budget=0", "-o", case.path("in.mlir"),
                 stdin=file)
    case.expect_right(case.path("in.mlir"))


def dynamic_model():
    type_ = "tensor<?x8xf32>"
    return f"""
func.func @main(%x: {type_}) -> {type_} {{
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : {type_}
  %e = tensor.empty(%n) : {type_}
  %r = linalg.abs ins(%x : {type_}) outs(%e : {type_}) -> {type_}
  return %r : {type_}
}}
"""


def merged_runs(case):
    """All recordings of a profile say what is measured, in any order."""
    model = case.write("dynamic.mlir", dynamic_model())
    parts = {}
    for rows, runs in ((3, 99), (40, 1)):
        parts[rows] = case.path(f"{rows}.mlprof")
        case.run("record", model, f"--shape=0={rows}x8", "--no-peak",
                 f"--iterations={runs}", "-o", parts[rows])
    for order in ((3, 40), (40, 3)):
        whole = case.path("whole.mlprof")
        case.run("merge", *(parts[rows] for rows in order), "-o", whole)
        told = case.run("optimize", model, f"--profile={whole}", "--budget=0",
                        "--explain=linalg.abs")
        # The rows of the operand and of what the result goes to.
        expect("sizes 3x3, 40x40\n" in told, f"{order}: {told}")


def file_shapes(case):
    """A file says how large the dynamic dimensions of its argument are."""
    model = case.write("dynamic.mlir", dynamic_model())
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 8), }"
    head += " " * (117 - len(head)) + "\n"
    pathlib.Path(case.path("x.npy")).write_bytes(
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
        struct.pack("<40f", *range(-20, 20)))
    arguments = [model, "--budget=0", "-o", case.path("out.mlir")]
    case.run("optimize", *arguments, "--input=" + case.path("x.npy"))
    case.run("optimize", *arguments, code=1,
             says="Give their sizes with --shape=x=DIMxDIM")


CASES = {function.__name__: function for function in (
    end_to_end, decisions_without_time, nothing_learned, annotations,
    taken_back, failing_candidate, interrupted, interrupted_early, at_once,
    profiles, databases, usage, no_input, merged_runs, local_trials,
    threads_locally, file_shapes)}


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    failed = False
    for name in sys.argv[3:] or CASES:
        text = large_copies() if name == "failing_candidate" else None
        try:
            CASES[name](Case(tool, folder / name, text))
            print(f"{name}: as expected", flush=True)
        except (Failure, subprocess.SubprocessError) as error:
            failed = True
            print(f"{name}: {error}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
