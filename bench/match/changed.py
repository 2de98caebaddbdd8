#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the time goes when a profile meets a module that changed.

  python bench/match/changed.py [--models t5,cnn] [--own] [--imported]

Each model of modules.py is edited in its source, written anew, and reported with
the profile of the unedited one. "imported" modules are exported by JAX, weights
as arguments, and their recording is a CSV file in which each op has a time of
its own; "own" modules are linalg with weights as constants, recorded by mlir-prof.
The tags of modules.py say where each op went. Time is right where an op of the new
module has just the times of ops that it is, wrong where it has others, shared
where several are equally good; percentages are of the time that has a
counterpart. Needs mlir-opt-22 in the PATH, and JAX for imported ones.
"""

import argparse
import collections
import itertools
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import modules
from modules import Edit

HERE = pathlib.Path(__file__).resolve().parent

EDITS = {
    "unchanged": Edit(),
    "layer at the end": Edit(layers=(0, 1, 2, 9)),
    "in the middle": Edit(layers=(0, 9, 1, 2)),
    "in front": Edit(layers=(9, 0, 1, 2)),
    "in front, names kept": Edit(layers=(9, 0, 1, 2), names="kept"),
    "in front, no names": Edit(layers=(9, 0, 1, 2), names="none"),
    "in front, bare names": Edit(layers=(9, 0, 1, 2), names="bare"),
    "last removed": Edit(layers=(0, 1)),
    "first removed": Edit(layers=(1, 2)),
    "middle removed": Edit(layers=(0, 2)),
    "one widened": Edit(wide=1),
    "widened throughout": Edit(width=48),
    "reordered ops": Edit(reordered=True),
    "reordered, no names": Edit(reordered=True, names="none"),
    "layers exchanged": Edit(layers=(1, 0, 2)),
    "locations stripped": Edit(names="none"),
    "names bare": Edit(names="bare"),
    "other seeds": Edit(seed=2),
    "canonicalize, cse": Edit(),
}
PASSES = {"canonicalize, cse": ("--canonicalize", "--cse")}


def call(tool, *arguments):
    result = subprocess.run([tool, *map(str, arguments)], text=True,
                            capture_output=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, arguments))}: {result.stderr.strip()}")
    return result.stdout


def report(tool, profile, path):
    """Picoseconds of each op by position: alone, and parts of sets or shares."""
    data = json.loads(call(tool, "report", profile, f"--model={path}",
                           "--format=json", "--allow-unmatched"))
    alone, parts = collections.Counter(), collections.Counter()
    for row in data["rows"]:
        if "index" not in row:
            continue
        alone[row["index"]] += row["sole_ps"]
        parts[row["index"]] += row["estimated_ps"]
    return alone, parts, data["coverage"]


def is_sum(value, times):
    """Whether `value` is the sum of some of `times`, but for rounding."""
    if len(times) > 12:
        return False
    return any(abs(sum(some) - value) <= 2 * len(times)
               for n in range(1, len(times) + 1)
               for some in itertools.combinations(times, n))


def judge(before, after, old_tags, new_tags):
    """Percent right, wrong and shared of what has a counterpart, and percent
    of all that has one."""
    old = before[0] + before[1]
    fused = bool(before[1])
    new_places = {tag: i for i, tag in enumerate(new_tags) if tag}
    expected = collections.defaultdict(list)
    there = 0
    for op, time in old.items():
        if op < len(old_tags) and old_tags[op] in new_places:
            expected[new_places[old_tags[op]]].append(time)
            there += time
    right = wrong = shared = 0
    for op in set(after[0]) | set(after[1]):
        alone, part = after[0][op], after[1][op]
        if fused:
            # Sets are split by cost: what is over is wrong.
            own = min(alone + part, sum(expected[op]))
            right += own
            wrong += alone + part - own
        elif is_sum(alone, expected[op]):
            right += alone
        else:
            wrong += alone
        shared += 0 if fused else part
    whole = sum(old.values())
    return [100 * x / max(there, 1) for x in (right, wrong, shared)] + [
        100 * there / max(whole, 1)]


def import_profile(tool, folder, path, tags):
    """A recording in which each tagged op has a time of its own."""
    rng, begin = random.Random(7), 0
    lines = ["name,begin_ps,duration_ps,thread"]
    for op, tag in enumerate(tags):
        if tag and "/" not in tag:
            time = int(1e6 * math.exp(rng.uniform(0, 4)))
            lines.append(f"old.mlir:{op + 1}:1,{begin},{time},t")
            begin += time
    (folder / "old.csv").write_text("\n".join(lines) + "\n")
    call(tool, "import", folder / "old.csv", f"--model={path}", "-o",
         folder / "old.mlprof")


def measure(tool, folder, model, writer, constants, edits, seconds):
    def write(name, edit, line_file=None, passes=()):
        text = modules.make(model, writer, edit, constants, passes)
        text, tags = modules.split(text, edit, line_file)
        (folder / name).write_text(text)
        return folder / name, tags
    own = writer is modules.Linalg
    path, old_tags = write("old.mlir", Edit(), None if own else "old.mlir")
    if own:
        call(tool, "record", path, "--mode=instrument", f"--seconds={seconds}",
             "--no-peak", "-o", folder / "old.mlprof")
    else:
        import_profile(tool, folder, path, old_tags)
    before = report(tool, folder / "old.mlprof", path)
    truths = {}
    for name in edits:
        if name in PASSES and not own:
            continue
        new, new_tags = write("new.mlir", EDITS[name], None,
                              PASSES.get(name, ()))
        # Edits that make one text cannot be told apart by anybody.
        first = truths.setdefault(new.read_text(), (name, new_tags))
        if first[1] != new_tags:
            yield f"{name} (the text of: {first[0]})", [math.nan] * 4
            continue
        after = report(tool, folder / "old.mlprof", new)
        yield name, judge(before, after, old_tags, new_tags)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default=HERE.parents[1] / "build" / "bin"
                        / "mlir-prof")
    parser.add_argument("--models", default=",".join(modules.MODELS))
    parser.add_argument("--edits", default=",".join(EDITS).replace(", ", "; "))
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--imported", action="store_true")
    parser.add_argument("--weights", choices=("arguments", "constants"),
                        help="instead of the kind's own")
    parser.add_argument("--seconds", default="0.2")
    options = parser.parse_args()
    edits = [e.replace("; ", ", ") for e in options.edits.split(",")]
    kinds = [("own", modules.Linalg, True), ("imported", modules.Jax, False)]
    print("| model | recording | edit | right | wrong | shared | has one |")
    print("|---|---|---|---|---|---|---|")
    for model in options.models.split(","):
        for kind, writer, constants in kinds:
            if (options.own or options.imported) and not getattr(options, kind):
                continue
            if options.weights:
                constants = options.weights == "constants"
            with tempfile.TemporaryDirectory() as folder:
                for name, shares in measure(
                        str(options.tool), pathlib.Path(folder), model, writer,
                        constants, edits, options.seconds):
                    print(f"| {model} | {kind} | {name} | "
                          + " | ".join(f"{x:.1f}" for x in shares) + " |",
                          flush=True)


if __name__ == "__main__":
    main()
