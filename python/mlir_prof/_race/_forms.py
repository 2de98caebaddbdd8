# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The forms in which contestants take a model."""

from __future__ import annotations

import pathlib
import typing

from .. import _arrays, frontends


class Unavailable(RuntimeError):
    """A framework cannot take part; the text is the reason."""


Maker = typing.Callable[["Forms"], pathlib.Path]


def _make_pt2(forms: "Forms") -> pathlib.Path:
    import torch
    from ..frontends._torch import _export
    program = _export.get_program(forms.model, forms.request("pt2"))
    path = forms.folder / "model.pt2"
    torch.export.save(program, path)
    return path


def _make_onnx(forms: "Forms") -> pathlib.Path:
    import torch
    from ._onnx_names import name_nodes
    program = torch.export.load(forms.get("pt2"))
    made = torch.onnx.export(program, dynamo=True, verbose=False)
    path = forms.folder / "model.onnx"
    name_nodes(made.model_proto, path)
    return path


def _name_onnx(forms: "Forms") -> pathlib.Path:
    import onnx
    from ._onnx_names import name_nodes
    model = onnx.ModelProto()
    model.CopyFrom(forms.model if hasattr(forms.model, "graph") else
                   onnx.load(str(forms.model)))
    path = forms.folder / "named.onnx"
    name_nodes(model, path)
    return path


def _make_jax(forms: "Forms") -> pathlib.Path:
    from ..frontends._jax import export, make_call
    path = forms.folder / "model.jax"
    path.write_bytes(export(*make_call(forms.model, forms.request("jax"))).serialize())
    return path


def _make_mlir(forms: "Forms") -> pathlib.Path:
    return forms.source.path


#: How each form is made, by the front end that takes the model.
_MAKERS: typing.Dict[str, typing.Dict[str, Maker]] = {
    "torch": {"pt2": _make_pt2, "onnx": _make_onnx, "mlir": _make_mlir},
    "onnx": {"onnx": _name_onnx, "mlir": _make_mlir},
    "jax": {"jax": _make_jax, "mlir": _make_mlir},
    "tensorflow": {"saved_model": lambda forms: pathlib.Path(forms.model),
                   "mlir": _make_mlir},
    "mlir": {"mlir": _make_mlir},
}


def make_examples(arguments: typing.Sequence[frontends.Value]
                  ) -> typing.Tuple[typing.Any, ...]:
    """Arrays for the arguments of a model: random numbers, and zeros where numbers
    are indices or switches. Raises ValueError for an argument without a shape."""
    import numpy
    random = numpy.random.default_rng(0)
    examples = []
    for value in arguments:
        if None in value.shape or value.dtype == "bfloat16":
            raise ValueError(f"argument {value.name!r} has no array that can be made "
                             "up; hint: pass one for each argument")
        is_real = numpy.dtype(value.dtype).kind in "fc"
        made = random.standard_normal(value.shape) if is_real else numpy.zeros(value.shape)
        examples.append(made.astype(value.dtype))
    return tuple(examples)


class Forms:
    """The forms of one model, each made when it is first asked for."""

    def __init__(self, model: typing.Any, examples: typing.Tuple[typing.Any, ...],
                 folder: pathlib.Path) -> None:
        found = frontends.find(model, examples)
        if found is None:
            raise TypeError(f"no front end takes a {type(model).__name__}; hint: pass "
                            "a module, a function, or the path of a model")
        for number, example in enumerate(examples):
            if not hasattr(example, "shape"):
                raise TypeError(f"argument {number} is a {type(example).__name__}; a "
                                "race takes arrays by position")
        self.model, self.examples, self.folder = model, examples, folder
        self.front_end = found
        self._made: typing.Dict[str, typing.Union[pathlib.Path, Exception]] = {}
        self._source: typing.Optional[frontends.Source] = None
        if not examples:
            self.examples = make_examples(self._list_arguments())

    def _list_arguments(self) -> typing.Sequence[frontends.Value]:
        if self.front_end != "mlir":
            return self.source.arguments
        from .._compile import compile
        return compile(self.model, progress=False, options={"entry": "main"}).arguments

    def request(self, name: str) -> frontends.Request:
        """A request with a folder of its own."""
        folder = self.folder / name
        folder.mkdir()
        return frontends.Request(folder=folder, examples=self.examples)

    @property
    def source(self) -> frontends.Source:
        """The model as MLIR."""
        if self._source is None:
            self._source = frontends.lower(self.model, self.request("mlir"))
        return self._source

    def get(self, form: str) -> pathlib.Path:
        """The file of a form. Raises Unavailable."""
        maker = _MAKERS.get(self.front_end, {}).get(form)
        if maker is None:
            raise Unavailable(f"a model of {self.front_end} does not become {form}")
        if form not in self._made:
            try:
                self._made[form] = maker(self)
            except Exception as error:  # an exporter can fail in any way
                self._made[form] = error
        made = self._made[form]
        if isinstance(made, Exception):
            text = (str(made) or repr(made)).splitlines()[0]
            raise Unavailable(f"the model cannot be exported as {form}: {text}")
        return made

    def save_inputs(self) -> typing.List[pathlib.Path]:
        """The example inputs as *.npy, in their order."""
        import numpy
        paths = []
        for number, example in enumerate(self.examples):
            path = self.folder / f"input{number}.npy"
            numpy.save(path, _arrays.to_numpy(example))
            paths.append(path)
        return paths
