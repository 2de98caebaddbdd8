# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process that converts a model to TOSA."""

import contextlib
import os
import pathlib
import re
import sys
import tempfile

from .. import _child
from .._source import FrontEndError
from . import _custom, _rename
from ._flatbuffer import FlatBufferError
from ._model import Model

#: An argument of a function with its location, which the converter names after the
#: function.
ARGUMENT = re.compile(r'(%arg(\d+): [^%]*?) loc\("(?:[^"\\]|\\.)*"\(#loc\d*\)\)')

#: An op that the converter left; its location, unless it has regions.
LEFT = re.compile(r'^ *(?:%[^=]*= )?"?(tfl?\.\w+|tosa\.custom)"?[ (](?:.* loc\((#loc\d*)\)$)?',
                  re.M)

#: The definition of a location with a name, or of one of several others.
NAMED = re.compile(r'^(#loc\d*) = loc\("((?:[^"\\]|\\.)*)"', re.M)
FUSED = re.compile(r"^(#loc\d*) = loc\(fused\[(#loc\d*)", re.M)

HINT = ("hint: convert the model with other ops, or without the quantization of these; "
        "mlir_prof also takes Keras models and SavedModel folders")


@contextlib.contextmanager
def catch_messages():
    """Yields a list that gets the errors that the converter prints."""
    sys.stderr.flush()
    messages, kept = [], os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield messages
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            text = file.read().decode(errors="replace")
            messages += [line for line in text.splitlines() if "error: " in line]


def convert(data):
    """The text of the model in TOSA, with locations."""
    import tosa_converter_for_tflite as converter
    with tempfile.TemporaryDirectory() as folder:
        source, target = (pathlib.Path(folder) / name for name in ("in", "out"))
        source.write_bytes(data)
        try:
            with catch_messages() as messages:
                converter.tflite_flatbuffer_to_tosa_mlir(
                    str(source), str(target), converter.TosaConverterOutputFormat.Text,
                    converter.TosaConverterDebugInfo.Enable)
        except (RuntimeError, ValueError) as error:
            reasons = "; ".join(dict.fromkeys(messages)) or str(error)
            raise FrontEndError(f"tosa-converter-for-tflite refuses the model: "
                                f"{reasons[:1000]}; {HINT}") from error
        return target.read_text(encoding="utf-8")


def find_names(text):
    """The names of locations."""
    names = {key: unquote(name) for key, name in NAMED.findall(text)}
    names.update((key, names[first]) for key, first in FUSED.findall(text)
                 if first in names)
    return names


def check(text, names):
    """Refuses a module with ops that are not TOSA's."""
    left = dict.fromkeys(f"{op} ('{names.get(location, 'no location')}')"
                         for op, location in LEFT.findall(text))
    if left:
        raise FrontEndError(f"TOSA has no form of {'; '.join(left)}; {HINT}")


def quote(name):
    """A text of MLIR."""
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else
                   f"\\{byte:02X}" for byte in name.encode())


def unquote(text):
    """The name that `quote` made a text of MLIR."""
    parts = re.sub(r"\\([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), text)
    return parts.encode("latin-1", errors="replace").decode(errors="replace")


def name_arguments(text, names):
    """Gives the arguments of the main function their names as locations."""
    begin = text.index("func.func @main(")
    end = text.index("\n", begin)
    head = ARGUMENT.sub(
        lambda found: f'{found[1]} loc("{quote(names[int(found[2])])}")',
        text[begin:end])
    return text[:begin] + head + text[end:]


def lower(request):
    path = pathlib.Path(request["path"])
    try:
        model = Model(path.read_bytes())
        names = model.names
        given = dict(zip(names, request["shapes"]), **request["named"])
        unknown = set(given) - set(names)
        if unknown or len(request["shapes"]) > len(names):
            raise FrontEndError(f"the model takes the arguments {', '.join(names)}; hint: "
                                "give one example for each")
        notes = model.choose_sizes(given)
        renamed = _rename.rename(model)
    except (FlatBufferError, OSError) as error:
        raise FrontEndError(f"{path} cannot be read: {error}; hint: check the "
                            "file") from error
    text = convert(bytes(model.buffer.data))
    locations = find_names(text)
    text = _custom.expand(text, locations, renamed)
    check(text, locations)
    pathlib.Path(request["module"]).write_text(name_arguments(text, names),
                                               encoding="utf-8")
    results = [tensor.describe(f"result{place}")
               for place, tensor in enumerate(model.outputs)]
    return dict(arguments=[tensor.describe(name).__dict__
                           for name, tensor in zip(names, model.inputs)],
                results=[value.__dict__ for value in results], notes=notes)


if __name__ == "__main__":
    _child.serve(lower)
