#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models of known architectures with random weights.

  python bench/zoo/zoo.py FOLDER

Each model is a folder FOLDER/NAME: model.mlir (bytecode), which mlir_prof.frontends
makes; model.onnx, which torch.onnx makes; onnx.mlir, which
mlir_prof.capture.onnx makes of it; input0.npy and so on; expected0.npy and so
on, computed by PyTorch in double precision; and model.json with facts, such as
the reason why a form is missing. The models are those of architectures.py, or
of another file with a dictionary MODELS; --layers writes those of layers.py.
Needs torch, transformers, torch-mlir, onnx, onnxscript and onnxruntime.
"""

import argparse
import copy
import importlib.util
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import warnings

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "python")]

import layers  # noqa: E402
from mlir_prof import capture, frontends  # noqa: E402

OWN = str(HERE / "architectures.py")
LAYERS = str(HERE / "layers.py")


def load_models(path):
    """{name: function} of a file, and of its special models."""
    spec = importlib.util.spec_from_file_location("zoo_models", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.MODELS, getattr(module, "SPECIAL", {})


def make(name, source):
    """(module, arguments) of a model; always with the same weights."""
    ordinary, special = load_models(source)
    torch.manual_seed(0)
    module, arguments = {**ordinary, **special}[name]()
    for part in module.modules():
        # torch-mlir's importer does not find buffers that are not persistent.
        part._non_persistent_buffers_set.clear()
    return module.eval(), arguments


def to_list(results):
    several = isinstance(results, (list, tuple))
    return list(results) if several else [results]


def compute(module, arguments):
    with torch.no_grad():
        return to_list(module(*arguments))


def compute_exactly(module, arguments):
    """Results in double precision."""
    exact = copy.deepcopy(module).double()
    # Modules also create tensors of the default type.
    torch.set_default_dtype(torch.float64)
    try:
        return compute(exact, [x.double() if x.is_floating_point() else x
                               for x in arguments])
    finally:
        torch.set_default_dtype(torch.float32)


def describe(error):
    """The first line of the first cause."""
    while error.__cause__:
        error = error.__cause__
    return str(error).strip().split("\n")[0]


def export_torch(module, arguments, folder, notes):
    """Writes model.mlir, if the front end can lower the module."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            source = frontends.lower(module, frontends.Request(pathlib.Path(scratch),
                                                               tuple(arguments)))
        except frontends.FrontEndError as error:
            notes.append(str(error))
            return
        shutil.move(source.path, folder / "model.mlir")


def save_onnx(module, arguments, inputs, path, notes):
    """Writes ONNX by PyTorch's exporter or, if that fails, by its older one;
    returns whether it did."""
    for options in (dict(dynamo=True, external_data=False, verbose=False),
                    dict(dynamo=False)):
        try:
            torch.onnx.export(module, arguments, str(path), input_names=inputs,
                              **options)
            return True
        except Exception as error:  # any failure is one of the model
            notes.append("onnx: " + describe(error))
    path.unlink(missing_ok=True)
    return False


def export_onnx(module, arguments, inputs, folder, notes):
    """Writes model.onnx and onnx.mlir, if possible."""
    path = folder / "model.onnx"
    if not save_onnx(module, arguments, inputs, path, notes):
        return
    values = {name: x.numpy() for name, x in zip(inputs, arguments)}
    with tempfile.TemporaryDirectory() as scratch:
        try:
            made = capture.onnx(str(path), values, folder=scratch + "/made",
                               steps=1, warmup=1)
        except Exception as error:  # any failure is one of the model
            notes.append("onnx: " + describe(error))
            return
        notes += ["onnx: " + note for note in made.notes]
        if made.linalg:
            shutil.move(made.linalg, folder / "onnx.mlir")


def save(folder, kind, arrays):
    for i, array in enumerate(arrays):
        np.save(folder / f"{kind}{i}.npy", array)


def write(folder, name, source):
    """Writes one model of a file; its facts."""
    module, arguments = make(name, source)
    results = compute(module, arguments)
    notes = []
    try:
        exact, reference = compute_exactly(module, arguments), "float64"
    except Exception as error:  # some modules do not support it
        notes.append("reference: " + describe(error))
        exact, reference = results, "float32"
    save(folder, "input", [x.numpy() for x in arguments])
    save(folder, "expected", [y.numpy().astype(near.numpy().dtype)
                              for y, near in zip(exact, results)])
    inputs = [f"input{i}" for i in range(len(arguments))]
    export_torch(module, arguments, folder, notes)
    export_onnx(module, arguments, inputs, folder, notes)
    return dict(source=source, inputs=inputs, results=len(results),
                channels_last=False, reference=reference, notes=notes)


def write_layer(folder, name):
    """Writes the NHWC form of a layer; its facts."""
    g, result = layers.build(name, *layers.LAYERS[name])
    (folder / "model.mlir").write_text(g.text(result))
    g.save_onnx(result, str(folder / "model.onnx"))
    save(folder, "input", [t.value.astype(np.float32)
                           for t in g.arguments.values()])
    save(folder, "expected", [result.value.astype(np.float32)])
    return dict(source=LAYERS, inputs=list(g.arguments), results=1,
                channels_last=True, reference="float64", notes=[])


def write_folder(path, fill):
    """Calls `fill(folder)` and saves the facts that it returns; one line."""
    begin = time.perf_counter()
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    facts = fill(path)
    (path / "model.json").write_text(json.dumps(facts, indent=1) + "\n")
    forms = [form for form in ("model.mlir", "onnx.mlir", "model.onnx")
             if (path / form).exists()]
    notes = "".join(f"; {note}" for note in facts["notes"])
    print(f"{path.name}: {', '.join(forms) or 'no form'}; in "
          f"{time.perf_counter() - begin:.0f} s{notes[:300]}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--models", default=OWN, metavar="FILE.py")
    parser.add_argument("--only", help="names, separated by commas")
    parser.add_argument("--layers", action="store_true")
    options = parser.parse_args()
    # Exporters write pages of warnings.
    warnings.simplefilter("ignore")
    source = LAYERS if options.layers else os.path.abspath(options.models)
    ordinary, special = load_models(source)
    chosen = options.only.split(",") if options.only else list(ordinary)
    nhwc = [f"{name}-nhwc" for name in layers.LAYERS] if options.layers else []
    unknown = set(chosen) - set(ordinary) - set(special) - set(nhwc)
    if unknown:
        sys.exit(f"no such model: {', '.join(sorted(unknown))}; there are: "
                 f"{', '.join([*ordinary, *special, *nhwc])}")
    if not options.only:
        chosen += nhwc
    for name in chosen:
        write_folder(options.folder / name, lambda folder: (
            write_layer(folder, name.removesuffix("-nhwc")) if name in nhwc
            else write(folder, name, source)))


if __name__ == "__main__":
    main()
