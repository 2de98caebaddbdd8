#!/usr/bin/env python3
"""Samples of perf in objects without debug lines of their own, or with names of C++.

usage: perf_debug.py FOLDER strip MODEL
       perf_debug.py FOLDER place PART ROOT
       perf_debug.py FOLDER names MODEL OPTIONS...
       perf_debug.py FOLDER check PROFILE.json ABSENT

`strip` compiles the module MODEL to FOLDER/whole/model.so, and splits it with
llvm-objcopy: FOLDER/model.so, which names FOLDER/parts/model.debug by its
checksum; FOLDER/parts/other.debug, whose build id and checksum are not those. It
writes samples at every third byte of the code: by symbol, which all but the debug
file lack (symbol.txt), and by mappings (mapped.txt). `place` copies a part below
ROOT, to where the debug file of the object stands by its build id. `names` makes
FOLDER/whole/model.so and FOLDER/model.so one, compiled with OPTIONS, too, with
samples as perf prints C++: short.txt, and with arguments, as libiberty spaces
them, full.txt. `check`
compares what was imported with llvm-symbolizer's lines in FOLDER/whole/model.so,
of which those that are called ABSENT ("" for none) should be missing.
"""

import collections
import json
import pathlib
import re
import shutil
import sys

import perf_lines
from perf_lines import BASE, functions, mapping, run, sample, text_segment


def build_id(folder):
    notes = run("llvm-readelf", "-n", folder / "whole" / "model.so")
    return re.search(r"Build ID: (\w+)", notes)[1]


def write_samples(folder, spell):
    """A text for each way to `spell` a function, given its name."""
    path = folder / "model.so"
    whole = folder / "whole" / "model.so"
    offset, address, size = text_segment(whole)
    page = offset & ~0xFFF
    texts = {kind: [] for kind in spell}
    texts["mapped"] = [
        mapping(path, page, offset + size - page, f"<{build_id(folder)}>")]
    addresses = []
    for name, begin, length in functions(whole):
        for at in range(begin, begin + length, 3):
            addresses.append(at)
            ip = f"{BASE + at - address + offset:x}"
            texts["mapped"].append(sample([f"{ip} [unknown] ({path})"]))
            for kind, function in spell.items():
                texts[kind].append(sample(
                    [f"{ip} {function(name)}+{at - begin:#x} ({path})"]))
    (folder / "whole" / "addresses.json").write_text(json.dumps(addresses))
    for kind, lines in texts.items():
        (folder / f"{kind}.txt").write_text("".join(lines))


def strip(folder, model):
    whole, parts = folder / "whole", folder / "parts"
    whole.mkdir()
    parts.mkdir()
    # Else the table of dynamic symbols, which stays, would have all functions.
    exported = parts / "exported.txt"
    exported.write_text("{ global: model; local: *; };")
    perf_lines.compile_model(whole, model, f"-Wl,--version-script={exported}")
    debug = parts / "model.debug"
    run("llvm-objcopy", "--only-keep-debug", whole / "model.so", debug)
    run("llvm-strip", "--strip-all", "-o", folder / "model.so", whole / "model.so")
    run("llvm-objcopy", f"--add-gnu-debuglink={debug}", folder / "model.so")
    # Of the same layout, and of another build.
    data = debug.read_bytes()
    write_samples(folder, {"symbol": lambda name: name})
    identity = build_id(folder)
    changed = data.replace(bytes.fromhex(identity), b"\xab" * (len(identity) // 2))
    assert changed != data
    (parts / "other.debug").write_bytes(changed)


def place(folder, part, root):
    identity = build_id(folder)
    target = pathlib.Path(root, ".build-id", identity[:2])
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / "parts" / part, target / f"{identity[2:]}.debug")


def names(folder, model, *options):
    (folder / "whole").mkdir()
    perf_lines.compile_model(folder / "whole", model, *options)
    shutil.copy(folder / "whole" / "model.so", folder)
    # As perf's demangler does.
    space = lambda text: text.replace(">>", "> >")
    write_samples(folder, {
        "short": lambda name: space(run(
            "llvm-cxxfilt", "--no-params", name.partition(".")[0]).strip()),
        "full": lambda name: space(run("llvm-cxxfilt", name).strip())})


def check(folder, profile, absent):
    expected = collections.Counter()
    for chain in perf_lines.symbolize(folder / "whole").values():
        # Without inlined calls the function is one of the table of symbols.
        if chain and not (absent and absent in chain[-1][3]):
            expected[tuple(perf_lines.frame(*part)
                           for part in reversed(chain))] += 1
    data = json.loads(pathlib.Path(profile).read_text())
    got = collections.Counter()
    for op in data["runs"][0]["ops"]:
        frames = data["opKeys"][op.get("op", 0)].get("frames")
        [samples] = [one for one in op["measurements"]
                     if one.get("quantity") == "SAMPLES"]
        if frames:
            got[tuple(frames)] += int(samples["summary"]["sum"])
    assert got == expected, (got - expected, expected - got)
    print(f"{sum(expected.values())} samples on {len(expected)} lines as "
          "llvm-symbolizer has them")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    {"strip": strip, "place": place, "names": names, "check": check}[sys.argv[2]](
        folder, *sys.argv[3:])


if __name__ == "__main__":
    main()
