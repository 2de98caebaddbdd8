#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attribution of a profile's time to a changed module.

  python bench/match/changed.py [--models t5,cnn] [--own] [--imported] [--linalg]

Each model of modules.py is edited in its source and written again, and the
measurements of the unedited model are attributed to it. "imported" modules are
exported by JAX, with weights as arguments, and recorded as a CSV file with a
distinct time for each op; "own" modules are linalg with weights as constants,
recorded by mlir-prof; "linalg" ones are the same, with a CSV file. The tags of
modules.py are the ground truth. Time is right if attributed to its op, shared
if that is one of several equally good ops, and wrong otherwise, also if its
own op was removed; percentages refer to the time with a counterpart. Other
models: mixer, lstm, unet, alike-SEED and distinct-SEED (random layers). Needs
mlir-opt, and JAX for imported ones.
"""

import argparse
import collections
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


def find_owners(tool, profile, path):
    """By measured op: whether its time is shared by equally good ops, and the
    picoseconds of each op that owns it, by position."""
    data = json.loads(call(
        tool, "query", profile, "SELECT op, class, mlir, part_ps FROM matches",
        f"--model={path}", "--format=json", "--allow-unmatched"))
    owners = collections.defaultdict(lambda: (False, {}))
    for row in data["rows"]:
        if row["mlir"] is not None:
            owners[row["op"]] = (
                row["class"] == "ambiguous",
                {**owners[row["op"]][1], row["mlir"]: row["part_ps"]})
    return owners


def judge(before, after, old_tags, new_tags, are_merged):
    """Percent right, wrong and shared of the time with a counterpart, and the
    percentage of the time that has one. Time is shared, regardless of its
    parts, if its op is one of several equally good ones. With `are_merged`, a
    removed op computed the same as another one, which is not judged."""
    new_places = {tag: i for i, tag in enumerate(new_tags) if tag}
    there = right = wrong = shared = whole = 0
    for op, (_, parts) in before.items():
        is_shared, found = after[op]
        expected = {new_places[old_tags[place]]: time
                    for place, time in parts.items()
                    if place < len(old_tags) and old_tags[place] in new_places}
        whole += sum(parts.values())
        there += sum(expected.values())
        if are_merged and len(expected) < len(parts):
            right += sum(expected.values())
        elif is_shared and expected and expected.keys() <= found.keys():
            shared += sum(expected.values())
        else:
            for place, time in found.items():
                if place in expected:
                    right += min(time, expected[place])
                else:
                    wrong += time
    return [100 * x / max(there, 1) for x in (right, wrong, shared)] + [
        100 * there / max(whole, 1)]


def import_profile(tool, folder, path, tags):
    """A recording in which each tagged op has a distinct time."""
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


def measure(tool, folder, model, own, writer, constants, edits, seconds):
    def write(name, edit, line_file=None, passes=()):
        text = modules.make(model, writer, edit, constants, passes)
        text, tags = modules.split(text, edit, line_file)
        (folder / name).write_text(text)
        return folder / name, tags
    path, old_tags = write("old.mlir", Edit(), None if own else "old.mlir")
    if own:
        call(tool, "record", path, "--mode=instrument", f"--seconds={seconds}",
             "--no-peak", "-o", folder / "old.mlprof")
    else:
        import_profile(tool, folder, path, old_tags)
    before = find_owners(tool, folder / "old.mlprof", path)
    same, _ = write("same.mlir", Edit())
    for name in edits:
        if name in PASSES and writer is modules.Jax:
            continue
        new, new_tags = write("new.mlir", EDITS[name], None,
                              PASSES.get(name, ()))
        # An unchanged module is the recorded one.
        if new.read_text() == same.read_text() and new_tags != old_tags:
            yield f"{name} (the text of: unchanged)", [math.nan] * 4
            continue
        after = find_owners(tool, folder / "old.mlprof", new)
        yield name, judge(before, after, old_tags, new_tags, name in PASSES)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default=HERE.parents[1] / "build" / "bin"
                        / "mlir-prof")
    parser.add_argument("--models", default=",".join(modules.KNOWN))
    parser.add_argument("--edits", default=",".join(EDITS).replace(", ", "; "))
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--imported", action="store_true")
    parser.add_argument("--linalg", action="store_true")
    parser.add_argument("--least-right", type=float, default=0,
                        help="fail where less percent of the time are right")
    parser.add_argument("--most-wrong", type=float, default=math.inf,
                        help="fail where more percent of the time are wrong")
    parser.add_argument("--weights", choices=("arguments", "constants"),
                        help="instead of the kind's own")
    parser.add_argument("--seconds", default="0.2")
    options = parser.parse_args()
    edits = [e.replace("; ", ", ") for e in options.edits.split(",")]
    kinds = [("own", modules.Linalg, True), ("imported", modules.Jax, False),
             ("linalg", modules.Linalg, True)]
    chosen = [k for k, *_ in kinds if getattr(options, k)]
    print("| model | recording | edit | right | wrong | shared | has one |")
    print("|---|---|---|---|---|---|---|")
    for model in options.models.split(","):
        for kind, writer, constants in kinds:
            if kind not in (chosen or ("own", "imported")):
                continue
            if options.weights:
                constants = options.weights == "constants"
            with tempfile.TemporaryDirectory() as folder:
                for name, shares in measure(
                        str(options.tool), pathlib.Path(folder), model,
                        kind == "own", writer, constants, edits,
                        options.seconds):
                    print(f"| {model} | {kind} | {name} | "
                          + " | ".join(f"{x:.1f}" for x in shares) + " |",
                          flush=True)
                    if shares[0] < options.least_right:
                        sys.exit(f"less than {options.least_right:g} % are "
                                 "right")
                    if shares[1] > options.most_wrong:
                        sys.exit(f"more than {options.most_wrong:g} % are "
                                 "wrong")


if __name__ == "__main__":
    main()
