#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attribution of a JAX recording's time to a changed module.

  python bench/match/recorded.py [--models t5,cnn] [--names place]

JAX runs each model of modules.py on the CPU and records it. The recording is
imported without a module, and reported with the module of the recorded model
and with the modules of edited ones. The tags of modules.py map ops of an
edited module to recorded ones. Time is right if attributed to the measured op,
shared if several ops may own it and the right one is among them, unmatched if
none does, and wrong otherwise; percentages refer to the time whose op the
edited module still has, so time attributed to another op because its own was
removed is counted in addition. --names=bare records all layers under the same
names. Needs JAX.
"""

import argparse
import collections
import dataclasses
import glob
import json
import pathlib
import tempfile

import changed
import modules
from modules import Edit

# Large enough for matrix products to be library calls.
SCALE = 8
SKIPPED = ("unchanged", "canonicalize, cse", "other seeds")


def scale(edit):
    return dataclasses.replace(edit, width=edit.width * SCALE)


class Recorded(modules.Jax):
    """Traces with the names that `split` writes into modules."""

    def scoped(self, tag, function, *arguments):
        name = modules.rename(tag, self.edit).rstrip("/")
        if not name:
            return function(*arguments)
        with self.jax.named_scope(name):
            return function(*arguments)


def record(model, edit, folder, seconds):
    """Runs the model for some time and returns the path of the recording."""
    import time
    import jax
    writer = Recorded(edit, False)
    modules.MODELS[model](writer)
    rng = writer.numpy.random.default_rng(1)
    values = [rng.standard_normal(shape, "float32") * 0.05
              for shape in writer.shapes]

    def build(values):
        writer.values = iter(values)
        return modules.MODELS[model](writer)
    build.__name__ = "model"
    run = jax.jit(build)
    jax.block_until_ready(run(values))
    end = time.monotonic() + seconds
    with jax.profiler.trace(str(folder)):
        while time.monotonic() < end:
            jax.block_until_ready(run(values))
    return glob.glob(f"{folder}/**/*.xplane.pb", recursive=True)[0]


def get_matches(tool, profile, path):
    """By instruction: its class, and picoseconds by position of an op."""
    rows = json.loads(changed.call(
        tool, "query", profile,
        "SELECT COALESCE(o.module, '') || o.name AS name, class, mlir, part_ps, time_ps "
        "FROM matches m JOIN ops o ON m.op = o.op",
        f"--model={path}", "--format=json", "--allow-unmatched"))["rows"]
    found = {}
    for row in rows:
        kind, parts, _ = found.setdefault(row["name"],
                                          (row["class"], {}, row["time_ps"]))
        if row["mlir"] is not None:
            parts[row["mlir"]] = row["part_ps"] or 0
    return found


def judge(before, after, old_tags, new_tags):
    """Percent right, wrong, shared and unmatched of the time with a
    counterpart, and the percentage of the time that has one."""
    there, sums = 0, collections.Counter()
    tags = {tag for tag in new_tags if tag}
    whole = sum(sum(parts.values()) for _, parts, _ in before.values())
    for name, (_, old_parts, old_time) in before.items():
        if not old_parts or name not in after:
            continue
        kind, new_parts, new_time = after[name]
        old, new = collections.Counter(), collections.Counter()
        for number, part in old_parts.items():
            old[old_tags[number]] += part
        for number, part in new_parts.items():
            new[new_tags[number]] += part * old_time / max(new_time, 1)
        here = {tag: part for tag, part in old.items() if tag in tags}
        time = sum(here.values())
        there += time
        if kind == "ambiguous":
            # One of all possible owners is right.
            if set(here) & set(new):
                sums["shared"] += time
            else:
                sums["wrong"] += sum(new.values())
            continue
        strange = sum(part for tag, part in new.items() if tag not in old)
        missing = sum(part for tag, part in here.items() if tag not in new)
        sums["wrong"] += strange
        sums["unmatched"] += max(missing - strange, 0)
        sums["right"] += time - missing
    order = ("right", "wrong", "shared", "unmatched")
    return [100 * sums[x] / max(there, 1) for x in order] + [
        100 * there / max(whole, 1)]


def measure(tool, folder, model, names, edits, seconds):
    def write(name, edit):
        text = modules.make(model, modules.Jax, scale(edit), False)
        text, tags = modules.split(text, edit)
        (folder / name).write_text(text)
        return folder / name, tags

    def run(names):
        profile = folder / f"{names}.mlprof"
        changed.call(tool, "import", record(model, scale(Edit(names=names)),
                                            folder / names, seconds),
                     "-o", profile)
        return profile
    # Layer names identify ops even if other names are bare: both programs have
    # the same instructions.
    path, old_tags = write("old.mlir", Edit())
    profile = run("place")
    before = get_matches(tool, profile, path)
    if names != "place":
        profile = run(names)
    truths = {}
    for name in edits:
        edit = changed.EDITS[name]
        if names == "bare":
            edit = dataclasses.replace(edit, names="bare")
        new, new_tags = write(f"{name}.mlir", edit)
        # Edits that result in one text cannot be distinguished.
        known = truths.setdefault(new.read_text(), (name, new_tags))
        if known[1] != new_tags:
            name += f" (the text of: {known[0]})"
        after = get_matches(tool, profile, new)
        yield name, judge(before, after, old_tags, new_tags)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tool", default=changed.HERE.parents[1] / "build"
                        / "bin" / "mlir-prof")
    parser.add_argument("--models", default=",".join(modules.MODELS))
    edits = [e for e in changed.EDITS if e not in SKIPPED[1:]]
    parser.add_argument("--edits", default=";".join(edits))
    parser.add_argument("--names", choices=("place", "bare"),
                        help="of the recorded model (default: both)")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--keep", help="a folder for recordings and modules")
    options = parser.parse_args()
    print("| model | names | edit | right | wrong | shared | unmatched |"
          " has one |\n|---|---|---|---|---|---|---|---|")
    for model in options.models.split(","):
        for names in [options.names] if options.names else ["place", "bare"]:
            with tempfile.TemporaryDirectory() as folder:
                if options.keep:
                    folder = pathlib.Path(options.keep) / f"{model}-{names}"
                    folder.mkdir(parents=True)
                for name, shares in measure(
                        str(options.tool), pathlib.Path(folder), model, names,
                        options.edits.split(";"), options.seconds):
                    print(f"| {model} | {names} | {name} | "
                          + " | ".join(f"{x:.1f}" for x in shares) + " |",
                          flush=True)


if __name__ == "__main__":
    main()
