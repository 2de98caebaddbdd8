# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that others can write: which of them run in this process, and as what."""

import os
import stat
import unittest
from unittest import mock

import numpy

import mlir_prof
from mlir_prof import _load, _trust
from model_common import PAIR, Compiled


class Trust(Compiled):
    def setUp(self):
        super().setUp()
        self.path = self.compile(PAIR).save(self.folder / "m.mprof")
        self.other = self.compile(PAIR.replace("addi", "muli")).save(
            self.folder / "other.mprof")
        self.a = numpy.arange(4, dtype="i4")

    def check(self, model):
        """That it is the model of `path`."""
        self.assertFalse(model.is_isolated)
        numpy.testing.assert_array_equal(model(self.a, self.a)[0], self.a + self.a)

    def test_a_saved_file_is_the_users_alone(self):
        before = os.umask(0o002)
        self.addCleanup(os.umask, before)
        path = self.compile(PAIR).save(self.folder / "shared.mprof")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o022, 0)

    def test_what_others_can_change_is_copied(self):
        self.path.chmod(0o666)
        model = mlir_prof.load(self.path)
        with open(self.path, "r+b") as file:
            file.write(self.other.read_bytes())
        self.check(model)
        # The seal is for what was there.
        with open(self.path, "r+b") as file:
            file.write(self.other.read_bytes()[:-1] + b"x")
        with self.assertRaisesRegex(ValueError, "m.mprof: is .*another version"):
            mlir_prof.load(self.path)

    def test_a_change_during_the_check_is_found(self):
        self.path.chmod(0o666)
        check = _load._is_sealed

        def check_and_change(held, path, key):
            result = check(held, path, key)
            if held.descriptor != changed.get("at", held.descriptor):
                return result
            changed["at"] = held.descriptor
            with open(self.path, "r+b") as file:
                file.seek(200)
                file.write(b"changed")
            return result
        changed = {}
        with mock.patch.object(_load, "_is_sealed", check_and_change), \
                self.assertLogs("mlir_prof", "WARNING"), \
                self.assertRaisesRegex(ValueError, "m.mprof: is damaged"):
            mlir_prof.load(self.path)

    def test_the_file_that_was_checked_is_run(self):
        check = _load._is_sealed

        def check_and_swap(held, path, key):
            result = check(held, path, key)
            os.replace(self.other, self.path)
            return result
        with mock.patch.object(_load, "_is_sealed", check_and_swap):
            self.check(mlir_prof.load(self.path))

    def test_a_key_that_is_a_link_is_none(self):
        self.assertIsNotNone(_trust.find_key())
        key, moved = self.cache / "key", self.cache / "moved"
        key.rename(moved)
        self.addCleanup(os.replace, moved, key)
        key.symlink_to(moved)
        self.assertIsNone(_trust.find_key())
        key.unlink()
        os.mkfifo(key)
        self.assertIsNone(_trust.find_key())

    def test_what_others_can_put_into_the_cache_is_not_run(self):
        with mock.patch.dict(os.environ, MLIR_PROF_CACHE=str(self.folder / "cache")):
            self.compile(PAIR)
            (cached,) = (self.folder / "cache").glob("llvmcache-python-*")
            self.assertEqual(stat.S_IMODE(cached.stat().st_mode), 0o600)
            self.check(self.compile(PAIR))
            cached.write_bytes(self.other.read_bytes())
            cached.chmod(0o622)
            with self.assertLogs("mlir_prof", "WARNING") as logs:
                self.check(self.compile(PAIR))
            self.assertIn("others than this user may have written", logs.output[0])
            # It was compiled, and has the other's place.
            self.check(self.compile(PAIR))


if __name__ == "__main__":
    unittest.main()
