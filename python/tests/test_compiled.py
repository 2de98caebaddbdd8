# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled models as callables and as files, against NumPy."""

import concurrent.futures
import glob
import os
import pathlib
import stat
import tempfile
import unittest
from unittest import mock

import numpy

import mlir_prof
from mlir_prof import _cache
from model_common import CHECK, COUNTER, LAYER, PAIR, Compiled, run_python


def make_layer(rows, seed=0):
    """Arguments of LAYER, and the result."""
    random = numpy.random.default_rng(seed)
    x, w = (random.standard_normal(shape, dtype=numpy.float32)
            for shape in ((rows, 16), (16, 8)))
    b = random.standard_normal(8, dtype=numpy.float32)
    return (x, w, b), numpy.maximum(x.astype(numpy.float64) @ w + b, 0)


class Calls(Compiled):
    def check(self, model, rows):
        arguments, expected = make_layer(rows, rows)
        numpy.testing.assert_allclose(model(*arguments), expected, rtol=1e-5,
                                      atol=1e-6)

    def test_any_size_that_a_call_chooses(self):
        for threads in (1, 2):
            model = self.compile(LAYER, threads=threads)
            for rows in (1, 5, 64):
                self.check(model, rows)
            self.assertEqual(model.threads, threads)
        self.assertEqual(
            [(value.name, value.dtype, value.shape) for value in model.arguments],
            [("x", "float32", (None, 16)), ("w", "float32", (16, 8)),
             ("b", "float32", (8,))])
        self.assertEqual(model.results[0].shape, (None, 8))
        self.assertIn("x: float32[?x16]", repr(model))

    def test_files_and_bytes(self):
        path = self.folder / "layer.mlir"
        path.write_text(LAYER)
        for source in (path, str(path), LAYER):
            self.check(self.compile(source), 3)
        with self.assertRaisesRegex(mlir_prof.FrontEndError, "none.mlir: does not"):
            self.compile(self.folder / "none.mlir")
        with self.assertRaisesRegex(TypeError, "is no model of"):
            self.compile(3)
        with self.assertRaisesRegex(mlir_prof.ToolError, "error"):
            self.compile("func.func @main(\n")

    def test_keywords_and_structures(self):
        model = self.compile(PAIR)
        a, b = numpy.arange(4, dtype="i4"), numpy.full(4, 3, "i4")
        for results in (model(a, b), model(a, b=b), model(b=b, a=a)):
            self.assertIsInstance(results, tuple)
            numpy.testing.assert_array_equal(results, [a + b, a - b])
        for call, message in ((lambda: model(a), "'b' is missing"),
                              (lambda: model(a, b, b), "3 arguments .* has 2: a, b"),
                              (lambda: model(a, c=b), "argument 'c'; hint: .*a, b"),
                              (lambda: model(a, b, a=a), "'a' is given twice")):
            with self.assertRaisesRegex(TypeError, message):
                call()

    def test_wrong_arrays_are_named(self):
        model = self.compile(LAYER)
        (x, w, b), _ = make_layer(2)
        for wrong, name in (((x.astype("f8"), w, b), "x"), ((x, w.T, b), "w"),
                            ((x, w, b[:3]), "b"), ((x[0], w, b), "x"),
                            ((x, w, "text"), "b")):
            with self.assertRaisesRegex((TypeError, ValueError), rf"\b{name}\b"):
                model(*wrong)
        # An array whose rows are not one after the other is as good as any.
        numpy.testing.assert_allclose(
            model(numpy.asfortranarray(x), w, b), model(x, w, b))

    def test_none_is_not_a_number(self):
        model = self.compile("func.func @main(%x: f32) -> f32 { return %x : f32 }")
        with self.assertRaisesRegex(TypeError, "None"):
            model(None)

    def test_results_go_where_the_caller_wants_them(self):
        model = self.compile(LAYER)
        arguments, expected = make_layer(6)
        out = numpy.empty((6, 8), "f4")
        self.assertIs(model(*arguments, out=out), out)
        numpy.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-6)
        with self.assertRaises((TypeError, ValueError)):
            model(*arguments, out=numpy.empty((5, 8), "f4"))
        pair = self.compile(PAIR)
        a, outs = numpy.arange(4, dtype="i4"), [numpy.empty(4, "i4") for _ in "ab"]
        self.assertIs(pair(a, a, out=outs), outs)
        numpy.testing.assert_array_equal(outs, [a + a, a - a])

    def test_repeated_calls_take_no_steps_of_python(self):
        model = self.compile(PAIR)
        a, outs = numpy.arange(4, dtype="i4"), (numpy.empty(4, "i4"),) * 2
        model(a, a)
        with mock.patch.object(model._calling, "flatten", side_effect=AssertionError):
            numpy.testing.assert_array_equal(model(a, a), [a + a, a - a])
            self.assertIs(model(a, a, out=outs), outs)
        # Calls of another kind are looked at.
        self.assertEqual(model(a, b=a)[0].tolist(), [0, 2, 4, 6])
        self.assertEqual(model(a, [1, 1, 1, 1])[0].tolist(), [1, 2, 3, 4])

    def test_results_are_the_callers(self):
        model = self.compile(PAIR)
        a = numpy.arange(4, dtype="i4")
        first = model(a, a)[0]
        model(a + 1, a)
        numpy.testing.assert_array_equal(first, a + a)
        first += 1
        del model
        numpy.testing.assert_array_equal(first, a + a + 1)

    def test_many_threads_call_one_model(self):
        model = self.compile(LAYER, threads=2)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda rows: self.check(model, rows), range(1, 41)))

    def test_failures_are_exceptions(self):
        model = self.compile(CHECK)
        self.assertEqual(model(5), 5)
        with self.assertRaisesRegex(mlir_prof.ModelError, "x is not positive"):
            model(-5)
        self.assertEqual(model(6), 6)

    def test_variables(self):
        for isolate in (False, True):
            model = self.compile(COUNTER, isolate=isolate)
            self.assertEqual([int(model()) for _ in range(3)], [1, 2, 3])
            model.reset()
            self.assertEqual(int(model()), 1)

    def test_a_process_of_its_own(self):
        model = self.compile(LAYER, isolate=True)
        self.check(model, 4)
        self.check(model, 1)
        out = numpy.empty((4, 8), "f4")
        arguments, expected = make_layer(4)
        self.assertIs(model(*arguments, out=out), out)
        numpy.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-6)
        with self.assertRaisesRegex((TypeError, ValueError), r"\bb\b"):
            model(arguments[0], arguments[1], arguments[2][:3])
        checked = self.compile(CHECK, isolate=True)
        with self.assertRaisesRegex(mlir_prof.ModelError, "x is not positive"):
            checked(-1)
        self.assertEqual(checked(1), 1)

    def test_the_end_of_the_process_is_an_error(self):
        model = self.compile(CHECK, isolate=True)
        model._runner._worker.process.kill()
        with self.assertRaisesRegex(mlir_prof.ModelError, "was ended by SIGKILL"):
            model(1)
        self.assertEqual(model(1), 1)


class Types(Compiled):
    """A process of its own takes and gives all types that this one does."""

    TEXT = """
      func.func @main(%x: tensor<2x3xTYPE> loc("x"), %s: tensor<TYPE> loc("s"))
          -> (tensor<2x3xTYPE>, tensor<TYPE>) {
        return %x, %s : tensor<2x3xTYPE>, tensor<TYPE>
      }"""

    def check(self, element, x):
        """That the bytes of the results are those of the arguments."""
        found = []
        for isolate in (False, True):
            model = self.compile(self.TEXT.replace("TYPE", element), isolate=isolate)
            results = model(x, x[0, 1])
            found.append([(result.dtype, result.shape, numpy.asarray(result).tobytes())
                          for result in map(numpy.asarray, results)])
            self.assertEqual(found[-1][0][2], x.tobytes())
            # In another order, and into an array of the caller's.
            out = [numpy.empty_like(x, order="F"), numpy.empty_like(x[0, 1])]
            model(numpy.asfortranarray(x), x[0, 1], out=out)
            self.assertEqual(out[0].tobytes(), x.tobytes())
        self.assertEqual(found[0], found[1])

    def test_numbers_of_numpy(self):
        for element, dtype in (("f16", "f2"), ("f32", "f4"), ("f64", "f8"), ("i1", "?"),
                               ("i8", "i1"), ("i16", "i2"), ("i32", "i4"), ("i64", "i8"),
                               ("complex<f32>", "c8"), ("complex<f64>", "c16")):
            with self.subTest(element):
                self.check(element, numpy.arange(6).reshape(2, 3).astype(dtype))

    def test_numbers_that_numpy_does_not_have(self):
        from mlir_prof import _model
        data = numpy.arange(6, dtype="u2") + 0x3f80
        for element, dtype, size in (("bf16", "bfloat16", 2), ("f8E5M2", "float8_e5m2", 1),
                                     ("f8E4M3FN", "float8_e4m3fn", 1),
                                     ("complex<f16>", "complex32", 4)):
            raw = numpy.resize(data, 6 * size // 2).tobytes()
            x, s = _model.copy(raw, dtype, (2, 3)), _model.copy(raw[:size], dtype, ())
            for isolate in (False, True):
                with self.subTest(element, isolate=isolate):
                    model = self.compile(self.TEXT.replace("TYPE", element),
                                         isolate=isolate)
                    results = model(x, s)
                    self.assertEqual([numpy.asarray(result).tobytes()
                                      for result in results], [raw, raw[:size]])
        with self.assertRaisesRegex(TypeError, "'float7' is not an element type"):
            _model.copy(b"", "float7", (0,))
        for shape in ((7,), (-1,), (1 << 62, 1 << 62), (1,) * 65):
            with self.assertRaises(ValueError):
                _model.copy(b"123456", "float8_e5m2", shape)


class Builds(Compiled):
    def test_the_time_of_a_build_is_told(self):
        with mock.patch.dict(os.environ, MLIR_PROF_CACHE=str(self.folder)):
            built = self.compile(PAIR).build
            again = self.compile(PAIR).build
        self.assertEqual(built["phase"][0], "front end")
        self.assertEqual(built["phase"][-1], "load")
        self.assertGreater(len(built), 3)
        # Those of the compiler, whose memory grows.
        peaks = [peak for peak in built["peak_bytes"] if peak is not None]
        self.assertEqual(len(peaks), 3)
        self.assertEqual(peaks, sorted(peaks))
        self.assertGreater(peaks[0], 1 << 20)
        self.assertEqual(built.weight[1], sum(built["time_ps"]))
        self.assertIn("found in the cache", again["phase"])
        self.assertNotIn("found in the cache", built["phase"])

    def test_other_options_are_other_models(self):
        with mock.patch.dict(os.environ, MLIR_PROF_CACHE=str(self.folder)):
            self.compile(LAYER)
            for options in ({"threads": 2}, {"pipeline": "naive"},
                            {"options": {"math": "libm"}}):
                self.assertNotIn("found in the cache",
                                 self.compile(LAYER, **options).build["phase"])

    def test_nothing_is_written_outside_of_the_cache(self):
        temporary = self.folder / "temporary"
        temporary.mkdir()
        program = """
import sys, numpy, mlir_prof
model = mlir_prof.compile(sys.argv[1], progress=False)
a = numpy.arange(4, dtype="i4")
assert (model(a, a)[0] == a + a).all()
mlir_prof.record(model, a, a, seconds=0.1, progress=False)
"""
        with mock.patch.dict(os.environ, TMPDIR=str(temporary), HOME=str(self.folder),
                             MLIR_PROF_CACHE=str(self.folder / "cache")):
            result = run_python(program, PAIR, cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(os.listdir(temporary), [])
        self.assertEqual(sorted(os.listdir(self.folder)), ["cache", "temporary"])

    def test_a_cache_may_be_off_or_small(self):
        a = numpy.arange(4, dtype="i4")
        for variables in ({"MLIR_PROF_CACHE": "off"}, {"MLIR_PROF_CACHE_SIZE": "0"}):
            with mock.patch.dict(os.environ, MLIR_PROF_CACHE=str(self.folder)), \
                    mock.patch.dict(os.environ, variables):
                model = self.compile(PAIR)
                numpy.testing.assert_array_equal(model(a, a)[0], a + a)
            self.assertEqual(glob.glob(f"{self.folder}/*python*"), [])

    def test_the_oldest_files_go(self):
        with mock.patch.dict(os.environ, MLIR_PROF_CACHE=str(self.folder),
                             MLIR_PROF_CACHE_SIZE="1"):
            new = self.folder / "new"
            new.write_bytes(bytes(200_000))
            for number in range(8):
                _cache.keep(f"python-{number}", new)
                os.utime(self.folder / f"llvmcache-python-{number}",
                         (number + 1, number + 1))
                if number == 4:
                    self.assertIsNotNone(_cache.find("python-0"))
            left = sorted(path.name[-1] for path in self.folder.glob("llvm*"))
        self.assertEqual(left, ["0", "4", "5", "6", "7"])

    def test_a_model_survives_its_file(self):
        with mock.patch.dict(os.environ, MLIR_PROF_CACHE=str(self.folder)):
            model = self.compile(PAIR)
        for path in self.folder.iterdir():
            path.unlink()
        a = numpy.arange(4, dtype="i4")
        saved = mlir_prof.load(model.save(self.folder / "m.mprof"), trust=True)
        numpy.testing.assert_array_equal(saved(a, a)[0], a + a)
        with mlir_prof.record(model, a, a, seconds=0.1, progress=False) as profile:
            self.assertGreater(profile.runs["iterations"][0], 0)


class Files(Compiled):
    def save(self, text=PAIR, name="m.mprof"):
        return self.compile(text).save(self.folder / name)

    def test_a_file_has_the_model_and_its_form(self):
        arguments, expected = make_layer(7)
        model = mlir_prof.load(self.save(LAYER))
        self.assertFalse(model.is_isolated)
        numpy.testing.assert_allclose(model(*arguments), expected, rtol=1e-5, atol=1e-6)
        self.assertEqual(model.arguments, self.compile(LAYER).arguments)
        with self.assertRaisesRegex(ValueError, "does not have its source"):
            mlir_prof.optimize(model, *arguments)

    def test_the_key_is_the_users(self):
        self.save()
        key = self.cache / "key"
        self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)
        self.assertEqual(len(key.read_bytes()), 32)

    def assert_isolated(self, path, **options):
        with self.assertLogs("mlir_prof", "WARNING") as logs:
            model = mlir_prof.load(path, **options)
        self.assertTrue(model.is_isolated)
        self.assertRegex(logs.output[0], "runs in a process of its own: ")
        return model

    def test_files_of_others_run_in_a_process_of_their_own(self):
        path = self.save()
        a = numpy.arange(4, dtype="i4")
        with tempfile.TemporaryDirectory() as other, \
                mock.patch.dict(os.environ, MLIR_PROF_CACHE=other):
            model = self.assert_isolated(path)
            numpy.testing.assert_array_equal(model(a, a)[0], a + a)
            self.assertFalse(mlir_prof.load(path, trust=True).is_isolated)
            self.assertFalse((pathlib.Path(other) / "key").exists())
        self.assert_isolated(path, trust=False)

    def test_every_change_breaks_the_seal(self):
        data = self.save().read_bytes()
        changed = self.folder / "changed.mprof"
        from mlir_prof import _container, _trust
        key = _trust.find_key()
        positions = {0, 100, len(data) // 2, *range(len(data) - 400, len(data), 7)}
        for position in sorted(positions):
            other = bytearray(data)
            other[position] ^= 1
            changed.write_bytes(other)
            with open(changed, "rb") as file:
                try:
                    self.assertFalse(_container.is_sealed(file, "f", key), position)
                except _container.NotAModel:
                    pass
        changed.write_bytes(data)
        with open(changed, "rb") as file:
            self.assertTrue(_container.is_sealed(file, "f", key))

    def test_a_saved_model_may_be_saved_again(self):
        first = self.save()
        second = mlir_prof.load(first).save(self.folder / "n.mprof")
        self.assertEqual(second.read_bytes(), first.read_bytes())
        self.assertFalse(mlir_prof.load(second).is_isolated)

    def test_what_is_no_model_is_refused(self):
        path = self.folder / "wrong.mprof"
        for data in (b"", b"\x7fELF", bytes(100), self.save().read_bytes()[:-1]):
            path.write_bytes(data)
            with self.assertRaisesRegex(ValueError, "wrong.mprof: is not a compiled"):
                mlir_prof.load(path)
        with self.assertRaises(FileNotFoundError):
            mlir_prof.load(self.folder / "none.mprof")
        pipe = self.folder / "pipe.mprof"
        os.mkfifo(pipe)
        with self.assertRaisesRegex(ValueError, "pipe.mprof is not a file"):
            mlir_prof.load(pipe)

    def test_the_tool_takes_it(self):
        path = self.save()
        a = numpy.arange(4, dtype="i4")
        with mlir_prof.record(path, a, a, seconds=0.1, progress=False) as profile:
            self.assertIn("arith.addi", profile.report("op-type", all=True)["key"])


if __name__ == "__main__":
    unittest.main()
