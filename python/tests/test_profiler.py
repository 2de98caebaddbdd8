# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profilers: schedules, steps, tables, files; with a simulated clock."""

import concurrent.futures
import contextlib
import io
import json
import multiprocessing
import os
import pathlib
import tempfile
import threading
import types
import unittest
from unittest import mock

import mlir_prof
from mlir_prof import State, Type, _scopes, _timer
from scope_common import Timed, name_tree


def work_in_worker():
    with mlir_prof.scope("in worker"):
        return os.getpid()


class Spending(Timed):
    def spend(self, name, ns, **named):
        with mlir_prof.scope(name, **named):
            self.clock.advance(ns)


class Profilers(Spending):
    def test_they_nest_and_outer_ones_have_the_scopes_of_inner_ones(self):
        with mlir_prof.Profiler() as outer:
            self.spend("a", 1)
            with mlir_prof.Profiler() as inner:
                self.assertIs(mlir_prof.Profiler.current(), inner)
                self.spend("b", 2)
            self.assertIs(mlir_prof.Profiler.current(), outer)
            self.assertEqual(outer.get_ns(), {"a": 1, "b": 2})
        self.assertIsNone(mlir_prof.Profiler.current())
        self.assertEqual(inner.get_ns(), {"b": 2})
        self.assertEqual(outer.get(), {"a": 1e-9, "b": 2e-9})
        self.assertEqual((outer.total_ps, inner.total_ps), (3000, 2000))

    def test_they_end_in_any_order(self):
        first, second = mlir_prof.Profiler(), mlir_prof.Profiler()
        first.start()
        self.spend("a", 1)
        second.start()
        self.spend("b", 2)
        first.stop()
        self.assertIs(mlir_prof.Profiler.current(), second)
        self.spend("c", 4)
        second.stop()
        self.assertEqual(first.get_ns(), {"a": 1, "b": 2})
        self.assertEqual(second.get_ns(), {"b": 2, "c": 4})

    def test_one_that_ends_first_leaves_the_options_of_others(self):
        few, many = mlir_prof.Profiler(level=1), mlir_prof.Profiler(level=3)
        few.start()
        many.start()
        self.spend("x", 1, level=3)
        few.reset()
        few.stop()
        self.spend("y", 2, level=3)
        many.reset()
        self.spend("z", 4, level=3)
        last = mlir_prof.Profiler()
        last.start()
        many.stop()
        self.spend("high", 8, level=3)
        self.spend("low", 16)
        last.stop()
        self.assertEqual(many.get_ns(), {"z": 4})
        self.assertEqual(last.get_ns(), {"low": 16})
        self.assertEqual(_scopes.count_sessions(), 0)

    def test_one_is_entered_again_and_inside_itself(self):
        profiler = mlir_prof.Profiler()
        for ns in (1, 2):
            with profiler:
                self.spend("a", ns)
            self.spend("between", 50)
        with profiler:
            with profiler:
                self.spend("a", 4)
            self.assertTrue(profiler.is_running)
            self.spend("a", 8)
        self.assertFalse(profiler.is_running)
        self.assertEqual(profiler.get_ns(), {"a": 15})
        self.assertEqual(profiler.rows()[0].calls, 4)
        self.assertEqual(profiler.total_ps, 15000)

    def test_misuse_in_every_order(self):
        profiler = mlir_prof.Profiler()
        profiler.stop()
        profiler.step()
        profiler.reset()
        self.assertEqual(profiler.events(), [])
        self.assertEqual(profiler.get(), {})
        profiler.table()
        profiler.__exit__(None, None, None)
        with profiler:
            self.spend("a", 1)
        profiler.stop()
        profiler.stop()
        self.assertEqual(profiler.get_ns(), {"a": 1})
        profiler.reset()
        self.assertEqual(profiler.get(), {})
        with self.assertRaisesRegex(ValueError, "neither events nor stat"):
            mlir_prof.Profiler(events=False)
        with self.assertRaisesRegex(ValueError, "'size'"):
            profiler.rows(by="size")
        with self.assertRaisesRegex(ValueError, "'memory'"):
            mlir_prof.Profiler(count=["memory"])
        for wrong in (dict(ring=-5), dict(ring=2**32 + 1), dict(ring=2**70),
                      dict(sample_every=0), dict(sample_every=-1),
                      dict(sample_every=2**32), dict(level=-1),
                      dict(level=256), dict(host_tracer_level=-1),
                      dict(types=[99]), dict(types=[-1]),
                      dict(python_tracer_level=9), dict(python_tracer_level=-1),
                      dict(device_tracer_level=2)):
            name = "type" if "types" in wrong else "level" if (
                "host_tracer_level" in wrong) else list(wrong)[0]
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, name):
                mlir_prof.Profiler(**wrong)
        with self.assertRaisesRegex(ValueError, "are the same"):
            mlir_prof.Profiler(level=2, host_tracer_level=1)
        with self.assertRaises(TypeError):
            mlir_prof.Profiler(ring="many")

    def test_numbers_of_samples(self):
        for timer_only in (False, True):
            with mlir_prof.Profiler(timer_only=timer_only) as profiler:
                for wrong, error in ((-4, ValueError), ("a", TypeError),
                                     (float("nan"), ValueError)):
                    with self.assertRaisesRegex(error, "num_samples is"):
                        profiler.step(wrong)
                self.assertEqual(profiler.step_num, 0)
                profiler.step(4)
                self.assertEqual(profiler.step_num, 1)

    def test_options_that_leave_scopes_out_are_losses(self):
        with mlir_prof.Profiler(ring=16) as profiler:
            for _ in range(1000):
                self.spend("a", 1)
        kept = len(profiler.events())
        self.assertLess(kept, 17)
        # A scope is a record of its begin and one of its end, or one of both.
        lost = profiler.losses["record that a ring has overwritten"]
        self.assertIn(lost, range(1000 - kept, 2 * (1000 - kept) + 3))
        profiler = mlir_prof.Profiler(sample_every=7)
        for _ in range(2):
            with profiler:
                for _ in range(70):
                    self.spend("a", 1)
        self.assertEqual(profiler.losses, {"one event of so many scopes": 7})

    def test_a_profiler_that_is_dropped_stops(self):
        profiler = mlir_prof.Profiler(follow=())
        profiler.start()
        sessions = _scopes.count_sessions()
        session = _scopes.Session()
        self.assertEqual(_scopes.count_sessions(), sessions + 1)
        del session
        self.assertEqual(_scopes.count_sessions(), sessions)
        profiler.stop()

    def test_threads_that_run_before_have_the_profiler_after(self):
        go, done = threading.Event(), threading.Event()

        def work():
            self.assertIsNone(mlir_prof.Profiler.current())
            go.wait()
            with mlir_prof.timeit("work"):
                pass
            done.set()

        thread = threading.Thread(target=work)
        thread.start()
        with mlir_prof.Profiler() as profiler:
            go.set()
            done.wait()
            thread.join()
        self.assertEqual(profiler.rows()[0].calls, 1)

    def test_statistics_only(self):
        with mlir_prof.Profiler(events=False, statistics=True) as profiler:
            for ns in range(1, 101):
                self.spend("a", ns)
        row, = profiler.rows()
        self.assertEqual((row.calls, row.total_ps, row.min_ps, row.max_ps),
                         (100, 5050000, 1000, 100000))
        self.assertLessEqual(abs(row.p50_ps - 50000), 0.06 * 50000)
        self.assertEqual(profiler.events(), [])
        self.assertIn("a", profiler.table())

    def test_a_ring_and_a_sample(self):
        with mlir_prof.Profiler(ring=16) as profiler:
            for _ in range(100):
                self.spend("a", 1)
        self.assertEqual(len(profiler.events()), 16)
        with mlir_prof.Profiler(sample_every=10) as profiler:
            for _ in range(100):
                self.spend("a", 1)
        self.assertEqual(len(profiler.events()), 10)

    def test_a_file_that_is_written_meanwhile(self):
        path = self.folder / "scopes.%p"
        with mlir_prof.Profiler(path=path):
            self.spend("a", 3)
        data = (self.folder / f"scopes.{os.getpid()}").read_bytes()
        events = _scopes.Recording.from_bytes(data).events()
        self.assertEqual([event[0] for event in events], ["a"])

    def test_reset_keeps_open_scopes(self):
        with mlir_prof.Profiler() as profiler:
            self.spend("before", 1)
            with mlir_prof.scope("open"):
                self.clock.advance(2)
                profiler.reset()
                self.clock.advance(4)
        self.assertEqual(profiler.get_ns(), {"open": 6})

    def test_tables(self):
        with mlir_prof.Profiler() as profiler:
            with mlir_prof.scope("tune/build"):
                self.clock.advance(2_000_000)
                self.spend("in", 1_000_000)
            self.spend("tune/run", 1_000_000)
        table = profiler.table()
        self.assertIsInstance(table, str)
        rows = [line.split() for line in table.splitlines()]
        self.assertEqual([row[-1] for row in rows][-3:],
                         ["tune/build", "in", "tune/run"])
        self.assertEqual(rows[-3][:3], ["1", "3.000", "2.000"])
        tree = [line.split()[-1] for line in
                profiler.tree(separator="/").splitlines()][-4:]
        self.assertEqual(tree, ["tune", "build", "in", "run"])
        self.assertIn("100.0000", profiler.table("tvm"))
        self.assertIn("Profiling Report",
                      profiler.table("paddle-report", sort="total"))
        self.assertIn("Overview Summary",
                      profiler.table("paddle-summary") + profiler.summary())
        with self.assertRaisesRegex(ValueError, "hint: .*tree"):
            profiler.table("html")
        styles = [style[0] for style in _scopes.Recording.styles()]
        for style in styles:
            profiler.table(style)

    def test_counts_and_levels_by_their_names(self):
        with mlir_prof.Profiler(host_tracer_level=2, device_tracer_level=1,
                                count=["cpu_time", "allocations"]) as profiler:
            self.spend("deep", 1, level=2)
        self.assertEqual(profiler.get_ns(), {"deep": 1})


class Schedules(Spending):
    def run_steps(self, steps, **named):
        """The names that each window has, as the handler saw them."""
        windows = []

        def handle(profiler):
            windows.append([event.name for event in profiler.events()
                            if event.type != Type.ProfileStep])
        profiler = mlir_prof.Profiler(on_trace_ready=handle, **named)
        with profiler:
            for step in range(steps):
                self.spend(f"s{step}", 1)
                profiler.step()
        return windows, profiler

    def test_states(self):
        schedule = mlir_prof.schedule(closed=1, ready=1, record=2, repeat=2,
                                      skip_first=1)
        self.assertEqual("".join("CrRE"[schedule(step)] for step in range(12)),
                         "CCrRECrRECCC")
        forever = mlir_prof.schedule(0, 0, 1)
        self.assertEqual({forever(step) for step in range(9)},
                         {State.RECORD_AND_RETURN})
        for wrong in (dict(record=0), dict(closed=-1), dict(ready=1.5),
                      dict(repeat=-1)):
            with self.assertRaises(ValueError):
                mlir_prof.schedule(**dict(dict(closed=0, ready=0, record=1),
                                          **wrong))

    def test_windows_of_a_schedule(self):
        windows, profiler = self.run_steps(
            9, schedule=mlir_prof.schedule(closed=1, ready=1, record=2, repeat=2))
        self.assertEqual(windows, [["s2", "s3"], ["s6", "s7"]])
        # With a handler, the profiler keeps the last window.
        self.assertEqual(set(profiler.get()) - {"s6", "s7"},
                         {"ProfileStep#6", "ProfileStep#7"})

    def test_without_a_handler_all_windows_are_kept(self):
        profiler = mlir_prof.Profiler(schedule=mlir_prof.schedule(
            closed=1, ready=0, record=1), steps=False)
        with profiler:
            for step in range(6):
                self.spend("s", 1 << step)
                profiler.step()
        self.assertEqual(profiler.get_ns()["s"], 2 + 8 + 32)
        self.assertEqual([row.calls for row in profiler.rows()
                          if row.name == "s"], [3])

    def test_a_range_of_steps(self):
        windows, profiler = self.run_steps(9, schedule=(2, 5))
        self.assertEqual(windows, [["s2", "s3", "s4"]])
        windows, profiler = self.run_steps(4, schedule=(0, 2))
        self.assertEqual(windows, [["s0", "s1"]])
        for wrong in ((3, 3), (5, 2), (-1, 2)):
            with self.assertRaises(ValueError):
                mlir_prof.Profiler(schedule=wrong)

    def test_data_are_kept_where_a_schedule_leaves_a_window(self):
        for after in (State.CLOSED, State.READY):
            states = [State.RECORD, State.RECORD, after, State.RECORD, after]
            windows, _ = self.run_steps(4, schedule=lambda step: states[step])
            self.assertEqual(windows, [["s0", "s1"], ["s3"]])

    def test_each_step_a_window_and_an_end_while_recording(self):
        windows, _ = self.run_steps(
            2, schedule=lambda step: State.RECORD_AND_RETURN)
        self.assertEqual(windows, [["s0"], ["s1"], []])
        windows, _ = self.run_steps(3, schedule=lambda step: State.RECORD)
        self.assertEqual(windows, [["s0", "s1", "s2"]])

    def test_the_handler_runs_where_an_exception_leaves(self):
        windows = []
        with self.assertRaises(KeyError):
            with mlir_prof.Profiler(on_trace_ready=windows.append):
                raise KeyError("k")
        self.assertEqual(len(windows), 1)

    def test_a_handler_that_fails(self):
        sessions = _scopes.count_sessions()
        profiler = mlir_prof.Profiler(on_trace_ready=lambda profiler: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            with profiler:
                self.spend("a", 1)
        self.assertEqual(profiler.get_ns(), {"a": 1})
        self.assertEqual((profiler.state, profiler.is_running,
                          _scopes.count_sessions()),
                         (State.CLOSED, False, sessions))

    def test_steps_are_scopes(self):
        profiler = mlir_prof.Profiler(steps=True)
        with profiler:
            for _ in range(2):
                self.spend("work", 5)
                profiler.step(num_samples=4)
        self.assertEqual(name_tree(profiler), {
            "ProfileStep#0": {"work": {}}, "ProfileStep#1": {"work": {}},
            "ProfileStep#2": {}})
        self.assertEqual(profiler.rows("path")[0].type, Type.ProfileStep)
        self.assertEqual(profiler.step_num, 2)

    def test_schedules_of_other_enumerations(self):
        other = types.SimpleNamespace(value=3)
        windows, _ = self.run_steps(1, schedule=lambda step: other)
        self.assertEqual(windows, [["s0"], []])


class Timers(unittest.TestCase):
    """The timer, with a clock of its own."""

    def setUp(self):
        self.now = 0
        patch = mock.patch.object(_timer.time, "perf_counter_ns",
                                  lambda: self.now)
        patch.start()
        self.addCleanup(patch.stop)
        self.timer = _timer.Timer()
        self.timer.begin()

    def step(self, batch, reader=0, samples=None):
        self.timer.add_reading(reader)
        self.now += batch
        self.timer.step(samples)

    def test_averages_are_averages(self):
        for batch in (1, 2, 3, 4, 10):
            self.step(batch * 10**9, 10**8, samples=5)
        reader, batch, rate = self.timer.get_averages()
        self.assertEqual((reader, batch), (0.1, 4.0))
        self.assertEqual(rate, 25 / 20)
        self.assertEqual(self.timer.step_info("images"),
                         " reader_cost: 0.10000 s batch_cost: 4.00000 s"
                         " ips: 1.250 images/s")
        # Since the last call.
        self.assertEqual(self.timer.step_info(), "")
        self.step(2 * 10**9)
        self.assertIn("batch_cost: 2.00000 s ips: 0.500", self.timer.step_info())

    def test_the_summary_leaves_out_first_steps(self):
        for step in range(15):
            self.step((1000 if step < 10 else 1 + step % 2) * 10**6)
        self.timer.end()
        lines = self.timer.summary().splitlines()
        self.assertRegex(lines[0], "^=+Perf Summary=+$")
        cells = [cell.strip() for cell in lines[5].split("|")[1:-1]]
        self.assertEqual(cells, ["batch_cost", "0.00140", "0.00200", "0.00100"])
        ips = [cell.strip() for cell in lines[6].split("|")[1:-1]]
        self.assertEqual(ips, ["ips", f"{5 / 0.007:.5f}", "1000.00000",
                               "500.00000"])

    def test_few_steps_have_a_summary_too(self):
        self.assertEqual(self.timer.summary(), "")
        self.step(10**9, 5 * 10**8)
        self.assertIn("Reader Ratio: 50.000%", self.timer.summary())
        self.assertIn("steps/s", self.timer.summary())

    def test_an_evaluation_inside_of_a_step_is_apart(self):
        train, evaluation = object(), object()
        self.timer.begin_loop(train)
        self.step(10, samples=1)
        self.now += 5
        self.timer.begin_loop(evaluation)
        for _ in range(3):
            self.step(1000)
        self.assertIn("batch_cost: 0.00000 s", self.timer.step_info())
        self.timer.end_loop(evaluation)
        self.step(5, samples=1)
        self.timer.end_loop(train)
        self.assertEqual(self.timer.get_averages()[1], 10e-9)

    def test_steps_outside(self):
        timer = _timer.Timer()
        timer.step()
        timer.end()
        timer.add_reading(3)
        timer.begin_loop(1)
        timer.end_loop(1)
        self.assertEqual(timer.step_info(), "")
        self.assertEqual(timer.get_averages(), (0.0, 0.0, 0.0))


class Hooks(Spending):
    def test_loaders(self):
        class Loader:
            batch_size = 2

            def __len__(self):
                return 3

            def __iter__(loader):
                for value in range(3):
                    self.clock.advance(10)
                    yield value

        loader = mlir_prof.wrap_loader(Loader())
        self.assertEqual((len(loader), loader.batch_size), (3, 2))
        self.assertEqual(list(loader), [0, 1, 2])
        profiler = mlir_prof.Profiler(steps=False)
        with profiler:
            for _ in loader:
                self.clock.advance(100)
                profiler.step()
        row, = [row for row in profiler.rows() if row.type == Type.Dataloader]
        self.assertEqual((row.name, row.total_ps), ("Loader", 30000))
        self.assertGreater(profiler.timer.get_averages()[0], 0)
        with self.assertRaises(AttributeError):
            loader.nothing

    def test_optimizers(self):
        class Optimizer:
            def step(optimizer, closure=None):
                """Steps."""
                self.clock.advance(7)
                return closure

        class Adam(Optimizer):
            def step(optimizer, closure=None):
                return super().step(closure)

        restore = mlir_prof.wrap_optimizers(Optimizer, Adam)
        mlir_prof.wrap_optimizers(Optimizer)
        with mlir_prof.Profiler() as profiler:
            self.assertEqual(Adam().step(closure=3), 3)
        self.assertEqual(Optimizer.step.__doc__, "Steps.")
        self.assertEqual(name_tree(profiler),
                         {"Adam.step": {"Optimizer.step": {}}})
        self.assertEqual(profiler.rows()[0].type, Type.Optimization)
        restore()
        with mlir_prof.Profiler() as profiler:
            Adam().step()
        self.assertEqual(profiler.rows(), [])

    def test_torch_is_found(self):
        torch = types.ModuleType("torch")
        torch.optim = types.ModuleType("torch.optim")

        class Optimizer:
            pass

        class SGD(Optimizer):
            def step(self):
                pass
        torch.optim.Optimizer, torch.optim.SGD = Optimizer, SGD
        with mock.patch.dict("sys.modules", torch=torch):
            restore = mlir_prof.wrap_optimizers()
        with mlir_prof.Profiler() as profiler:
            SGD().step()
        self.assertEqual(set(profiler.get()), {"SGD.step"})
        restore()

    def test_record_event(self):
        event = mlir_prof.RecordEvent("e", type=Type.Forward, level=1, role=2)
        with mlir_prof.Profiler() as profiler:
            event.begin()
            self.clock.advance(1)
            event.end()
            with event:
                self.clock.advance(2)

            @mlir_prof.RecordEvent("decorated")
            def function():
                return 3
            self.assertEqual(function(), 3)
        first = profiler.events()[0]
        self.assertEqual((first.name, first.type, first.role), ("e", 9, 2))
        self.assertEqual(profiler.get_ns(), {"e": 3, "decorated": 0})


class Switch(Spending):
    def finish(self, *arguments):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), \
                contextlib.redirect_stderr(errors):
            results = mlir_prof.stop_profiler(*arguments)
        return results, output.getvalue()

    def row(self, report, name):
        line, = [line for line in report.splitlines()
                 if line.strip().removeprefix("thread0::").startswith(name)]
        return line.split()

    def test_a_loop_with_a_reset_at_the_third(self):
        mlir_prof.start_profiler("CPU")
        for index in range(10):
            if index == 2:
                mlir_prof.reset_profiler()
            self.spend("loop", 1_000_000)
        results, report = self.finish("total")
        self.assertEqual(self.row(report, "loop")[1:3], ["8", "8"])
        self.assertIn("Place: CPU", report)
        self.assertEqual(results.rows()[0].calls, 8)

    def test_a_reset_inside_of_a_scope_keeps_it_whole(self):
        mlir_prof.start_profiler("CPU")
        self.spend("before", 1)
        with mlir_prof.scope("open"):
            self.clock.advance(2_000_000)
            mlir_prof.reset_profiler()
            self.clock.advance(1_000_000)
        results, _ = self.finish()
        self.assertEqual(results.get_ns(), {"open": 3_000_000})

    def test_a_reset_leaves_other_profilers_alone(self):
        with mlir_prof.Profiler() as profiler:
            mlir_prof.start_profiler("CPU")
            self.spend("a", 1)
            self.clock.advance(1)
            mlir_prof.reset_profiler()
            self.clock.advance(1)
            self.spend("b", 2)
            results, _ = self.finish()
        self.assertEqual(results.get_ns(), {"b": 2})
        self.assertEqual(profiler.get_ns(), {"a": 1, "b": 2})

    def test_arguments_and_misuse(self):
        with self.assertRaises(ValueError):
            mlir_prof.start_profiler("TPU")
        with self.assertRaises(ValueError):
            mlir_prof.start_profiler("CPU", "Everything")
        # Without effect, whatever the arguments are.
        self.assertIsNone(mlir_prof.stop_profiler("median", "/none/none"))
        self.assertEqual(self.finish(), (None, ""))
        mlir_prof.reset_profiler()
        mlir_prof.start_profiler("CPU")
        mlir_prof.start_profiler("All", "OpDetail")
        mlir_prof.start_profiler("TPU", "Everything")
        with self.assertRaises(ValueError):
            mlir_prof.stop_profiler("median")
        results, report = self.finish()
        self.assertIn("Place: CPU", report)
        self.assertEqual(results.tracer_option, "Default")

    def test_tracer_options_select_roles(self):
        expected = {"Default": {"op"}, "OpDetail": {"op", "op/compute"},
                    "AllOpDetail": {"op", "op/compute", "op%3%"}}
        for outer in (False, True):
            for option, names in expected.items():
                with contextlib.ExitStack() as stack:
                    if outer:
                        stack.enter_context(mlir_prof.Profiler())
                    mlir_prof.start_profiler("CPU", option)
                    with mlir_prof.scope("op%3%", role=mlir_prof.Role.UniqueOp), \
                            mlir_prof.scope("op"):
                        self.clock.advance(1)
                        self.spend("op/compute", 2,
                                   role=mlir_prof.Role.InnerOp)
                    results, _ = self.finish()
                    self.assertEqual(set(results.get()), names)
                    self.assertEqual(results.get_ns()["op"], 3)

    def test_states_with_devices_say_what_is_missing(self):
        errors = io.StringIO()
        for state, place in (("GPU", "CUDA"), ("All", "All")):
            with contextlib.redirect_stderr(errors):
                mlir_prof.start_profiler(state)
            self.spend("host", 1_000_000)
            _, report = self.finish()
            self.assertIn("only the host is recorded", errors.getvalue())
            self.assertEqual(self.row(report, "host")[1:3], ["1", "1"])
            self.assertNotIn("nan", report)

    def test_a_context_manager(self):
        output = io.StringIO()
        with self.assertRaises(KeyError), contextlib.redirect_stdout(output):
            with mlir_prof.profiler("CPU", "calls"):
                self.spend("a", 1)
                raise KeyError("k")
        self.assertIn("Profiling Report", output.getvalue())
        with self.assertRaises(ValueError):
            with mlir_prof.profiler("CPU", "none"):
                pass

    def test_without_the_tool_the_scopes_are_kept(self):
        mlir_prof.start_profiler("CPU")
        self.spend("a", 1)
        with mock.patch.dict(os.environ, MLIR_PROF="/no/such/tool"):
            self.finish("total", self.folder / "profile")
        data = (self.folder / "profile.scopes").read_bytes()
        self.assertEqual([event[0] for event in
                          _scopes.Recording.from_bytes(data).events()], ["a"])


class Tool(Spending):
    """Files, with the real tool."""

    def setUp(self):
        super().setUp()
        self.profiler = mlir_prof.Profiler()
        with self.profiler:
            with mlir_prof.scope("outer"):
                self.clock.advance(2_000)
                self.spend('in "quotes"\n', 3_000)

    def test_a_profile_has_reports_exports_and_diffs(self):
        with self.profiler.profile() as profile:
            self.assertIn("outer", profile.report("scope")["name"])
            trace = self.folder / "trace.json"
            profile.export(trace, "chrome-json")
            profile.save(self.folder / "saved.mlprof")
            diff = profile.diff(self.folder / "saved.mlprof")
            self.assertEqual(diff.document["schema"].split("/")[0],
                             "mlir-prof.diff")
            self.assertEqual(len(diff), 0)
            path = profile.path
        self.assertFalse(os.path.exists(path))
        events = json.loads(trace.read_text())["traceEvents"]
        durations = {event["name"]: event["dur"] for event in events
                     if event.get("ph") == "X"}
        self.assertEqual(durations['in "quotes"\n'], 3)
        self.assertEqual(durations["outer"], 5)

    def test_only_the_scopes_of_the_profiler_are_in_the_file(self):
        with mlir_prof.Profiler():
            self.spend("not this", 1)
            self.clock.advance(1)
            with mlir_prof.Profiler() as inner:
                self.spend("this", 1)
            self.clock.advance(1)
            self.spend("not this either", 1)
            with inner.profile() as profile:
                report = profile.report("measured-op")
        self.assertEqual(report["op"], ["this"])

    def test_handlers(self):
        for make, pattern in (
                (mlir_prof.export_chrome, r"\.trace\.json$"),
                (mlir_prof.export_perfetto, r"\.pftrace$"),
                (mlir_prof.export_mlprof, r"\.mlprof$")):
            folder = self.folder / make.__name__ / "made"
            with mlir_prof.Profiler(on_trace_ready=make(folder, "w")):
                self.spend("a", 1)
            name, = os.listdir(folder)
            self.assertRegex(name, r"^w_time_(\d+_){6}\d+" + pattern)
            self.assertTrue((folder / name).stat().st_size)
        with self.assertRaisesRegex(RuntimeError, "cannot be made"):
            mlir_prof.export_chrome("/proc/none")
        handler = mlir_prof.export_chrome(self.folder / "unnamed")
        handler(self.profiler)
        name, = os.listdir(self.folder / "unnamed")
        self.assertRegex(name, rf"^host_.+pid_{os.getpid()}_time_")

    def test_stop_profiler_writes_a_profile(self):
        mlir_prof.start_profiler("CPU")
        self.spend("a", 1_000)
        with contextlib.redirect_stdout(io.StringIO()):
            mlir_prof.stop_profiler("total", self.folder / "profile")
        self.assertEqual(os.listdir(self.folder), ["profile"])
        report = mlir_prof.run("report", self.folder / "profile",
                               "--by=measured-op")
        self.assertRegex(report, r"\ba\b")

    def test_a_path_that_cannot_be_written_leaves_the_recording(self):
        mlir_prof.start_profiler("CPU")
        self.spend("a", 1_000)
        for wrong, error in ((self.folder / "none" / "p", FileNotFoundError),
                             (self.folder, IsADirectoryError)):
            output = io.StringIO()
            with contextlib.redirect_stdout(output), \
                    self.assertRaises(error):
                mlir_prof.stop_profiler("total", wrong)
            self.assertEqual(output.getvalue(), "")
        with contextlib.redirect_stdout(io.StringIO()):
            results = mlir_prof.stop_profiler("total", self.folder / "p.mlprof")
        self.assertEqual(results.get_ns(), {"a": 1_000})
        self.assertEqual(os.listdir(self.folder), ["p.mlprof"])

    def test_write_makes_the_folder(self):
        path, = self.profiler.write(self.folder / "new" / "folder")
        self.assertIn("outer", mlir_prof.run("report", path,
                                             "--by=measured-op"))

    def test_several_windows_are_one_profile(self):
        with self.profiler:
            self.spend("later", 7_000)
        with self.profiler.profile() as profile:
            report = profile.report("measured-op")
        self.assertIn("outer", report["op"])
        self.assertIn("later", report["op"])


class Workers(unittest.TestCase):
    """Without a simulated clock, which workers could not set."""

    def test_workers_are_runs_of_the_profile(self):
        context = multiprocessing.get_context("fork")
        with mlir_prof.Profiler(follow=["processes"]) as profiler, \
                mlir_prof.scope("spawner"):
            with concurrent.futures.ProcessPoolExecutor(
                    1, mp_context=context) as pool:
                workers = {pool.submit(work_in_worker).result()
                           for _ in range(2)}
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        trace = pathlib.Path(folder.name) / "trace.json"
        folded = trace.with_name("stacks")
        with profiler.profile() as profile:
            rows = profile.report("scope")
            profile.export(trace, "chrome-json")
            profile.export(folded, "folded")
        self.assertEqual({row["name"]: row["calls"] for row in rows},
                         {"spawner": 1, "in worker": 2})
        events = json.loads(trace.read_text())["traceEvents"]
        names = sorted(event["args"]["name"].split(" (")[0] for event in events
                       if event["name"] == "process_name")
        own, worker = f"process {os.getpid()}", f"process {workers.pop()}"
        self.assertEqual(names, sorted([own] + 2 * [
            f"{worker}, child of {os.getpid()}"]))
        stacks = [line.rpartition(" ")[0] for line in
                  folded.read_text().splitlines()]
        self.assertEqual(sorted(stacks), sorted([
            f"{own};spawner", f"{own};{worker};in worker"]))

    def test_what_was_before_a_profiler_is_not_a_loss(self):
        with mlir_prof.Profiler():
            for _ in range(200_000):
                with mlir_prof.scope("before"):
                    pass
            with mlir_prof.Profiler() as profiler, mlir_prof.scope("in"):
                pass
        with profiler.profile() as profile:
            self.assertEqual(len(profile.losses), 0)
            self.assertEqual(profile.report("scope")["name"], ["in"])


if __name__ == "__main__":
    unittest.main()
