# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules with the interfaces of TVM's and Paddle's profilers, against what
these do."""

import contextlib
import io
import json
import os
import pathlib
import re
import threading
import unittest
import warnings
from unittest import mock

import mlir_prof
from mlir_prof import _timer
from mlir_prof.compat import paddle
from mlir_prof.compat.paddle.fluid import profiler as first
from mlir_prof.compat.paddle.utils import profiler as utils
from mlir_prof.compat.tvm import meta_schedule, s_tir
from scope_common import Timed, capture

P = paddle.profiler
CPU = [P.ProfilerTarget.CPU]


class Tvm(Timed):
    Profiler = meta_schedule.Profiler

    def spend(self, name, seconds):
        with self.Profiler.timeit(name):
            self.clock.advance(seconds * 10**9)

    def test_modules(self):
        from mlir_prof.compat.tvm.meta_schedule.profiler import Profiler
        from mlir_prof.compat.tvm.s_tir.meta_schedule.profiler import (
            Profiler as later)
        self.assertIs(s_tir.meta_schedule.Profiler, Profiler)
        self.assertIs(later, Profiler)

    def test_get_and_table(self):
        with self.Profiler() as profiler:
            with self.Profiler.timeit("build"):
                self.clock.advance(20 * 10**9)
                self.spend("lower", 10)
            self.assertEqual(profiler.get(), {"lower": 10.0, "build": 30.0})
            self.clock.advance(30 * 10**9)
        self.assertEqual(profiler.get(),
                         {"lower": 10.0, "build": 30.0, "Total": 60.0})
        self.assertTrue(all(type(value) is float
                            for value in profiler.get().values()))
        cells = [[cell.strip() for cell in line.split("|")]
                 for line in profiler.table().splitlines()]
        self.assertEqual(cells[0], ["ID", "Name", "Time (min)", "Percentage"])
        self.assertRegex(cells[1][0], "^-+$")
        self.assertEqual(cells[2:5], [
            ["", "Total", "1.0000", "100.0000"],
            ["1", "build", "0.5000", "50.0000"],
            ["2", "lower", "0.1667", "16.6667"]])
        self.assertRegex(cells[5][0], "^-+$")

    def test_tables_that_are_too_early(self):
        with self.assertRaisesRegex(
                ValueError,
                "^The stats are empty. Please run the profiler first.$"):
            self.Profiler().table()
        with self.Profiler() as profiler:
            with self.assertRaisesRegex(ValueError, "stats are empty"):
                profiler.table()
            self.spend("x", 1)
            with self.assertRaisesRegex(
                    ValueError, "^The total time is not recorded. This method "
                    "should be called only after exiting the profiler's with "
                    "scope.$"):
                profiler.table()
        profiler.table()

    def test_it_accumulates(self):
        profiler = self.Profiler()
        for _ in range(2):
            with profiler:
                self.spend("x", 3)
            self.spend("outside", 100)
        self.assertEqual(profiler.get(), {"x": 6.0, "Total": 6.0})

    def test_inner_profilers_take_their_scopes(self):
        with self.Profiler() as outer:
            self.spend("before", 1)
            with self.Profiler() as inner:
                self.assertIs(self.Profiler.current(), inner)
                self.spend("in", 2)
            self.assertIs(self.Profiler.current(), outer)
            self.spend("after", 4)
        self.assertEqual(inner.get(), {"in": 2.0, "Total": 2.0})
        self.assertEqual(outer.get(), {"before": 1.0, "after": 4.0,
                                       "Total": 7.0})
        self.assertIsNone(self.Profiler.current())

    def test_a_scope_with_the_name_of_the_total(self):
        with self.Profiler() as profiler:
            self.spend("Total", 1)
            self.clock.advance(10**9)
            self.assertEqual(profiler.get(), {"Total (scope)": 1.0})
        self.assertEqual(profiler.get(), {"Total (scope)": 1.0, "Total": 2.0})

    def test_a_scope_belongs_to_the_profiler_at_its_entry(self):
        with self.Profiler() as outer:
            around = self.Profiler.timeit("around")
            around.__enter__()
            self.clock.advance(10**9)
            with self.Profiler() as inner:
                self.clock.advance(10**9)
                around.__exit__(None, None, None)
        self.assertEqual(inner.get(), {"Total": 1.0})
        self.assertEqual(outer.get(), {"around": 2.0, "Total": 2.0})

    def test_without_a_profiler_and_with_exceptions(self):
        self.spend("nothing", 1)
        with self.Profiler() as profiler:
            with self.assertRaises(KeyError), self.Profiler.timeit("raises"):
                self.clock.advance(10**9)
                raise KeyError
        self.assertEqual(profiler.get()["raises"], 1.0)

    def test_defects_of_tvm_are_not_there(self):
        # A worker's scopes count.
        with self.Profiler() as profiler:
            def work():
                self.assertIsNone(self.Profiler.current())
                self.spend("worker", 1)
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        self.assertEqual(profiler.get()["worker"], 1.0)
        # An exit without an entry does nothing.
        self.Profiler().__exit__(None, None, None)
        # One that is entered inside of itself keeps the outer time.
        with profiler:
            with profiler:
                self.clock.advance(10**9)
            self.clock.advance(10**9)
        self.assertEqual(profiler.get()["Total"], 3.0)
        # Scopes are visible to mlir-prof's profilers.
        with mlir_prof.Profiler() as own, self.Profiler(), self.Profiler():
            self.spend("x", 1)
        self.assertEqual(own.get(), {"x": 1.0})


class Schedulers(unittest.TestCase):
    def test_states(self):
        schedule = P.make_scheduler(closed=1, ready=1, record=2, repeat=2,
                                    skip_first=1)
        self.assertEqual([schedule(step).name for step in range(12)], [
            "CLOSED", "CLOSED", "READY", "RECORD", "RECORD_AND_RETURN",
            "CLOSED", "READY", "RECORD", "RECORD_AND_RETURN", "CLOSED",
            "CLOSED", "CLOSED"])
        self.assertIs(schedule(0), P.ProfilerState.CLOSED)

    def test_arguments(self):
        for wrong in (dict(closed=0, ready=0, record=0),
                      dict(closed=-1, ready=0, record=1),
                      dict(closed=0, ready=0, record=1, repeat=-1)):
            with self.assertRaises(AssertionError):
                P.make_scheduler(**wrong)
        with self.assertRaises(TypeError):
            P.make_scheduler(1, 1, 1)
        with self.assertWarns(UserWarning):
            P.make_scheduler(closed=1, ready=0, record=1)
        for wrong in ((3, 3), (4, 2)):
            with self.assertRaises(AssertionError):
                P.Profiler(targets=CPU, scheduler=wrong,
                           on_trace_ready=lambda profiler: None)

    def test_enumerations(self):
        self.assertEqual([view.value for view in P.SummaryView], list(range(9)))
        self.assertEqual(P.SortedKeys.GPUMin.value, 7)
        self.assertEqual(P.TracerEventType.PythonUserDefined.value, 14)
        self.assertEqual(P.ProfilerState.RECORD_AND_RETURN.value, 3)
        for event in P.TracerEventType:
            self.assertEqual(mlir_prof.Type[event.name], event.value)


class Second(Timed):
    def test_what_scopes_lack_is_a_warning(self):
        for name, counting in (("record_shapes", 0), ("with_flops", 0),
                               ("profile_memory", 1)):
            with self.assertWarnsRegex(UserWarning, name):
                made = P.Profiler(**{name: True})
            self.assertEqual(made._own._options["counting"], counting)

    def spend(self, name, us, **named):
        with P.RecordEvent(name, **named):
            self.clock.advance(us * 1000)

    def profile(self, **named):
        named = dict(dict(targets=CPU, on_trace_ready=lambda profiler: None),
                     **named)
        return P.Profiler(**named)

    def nodes(self, profiler):
        """Names below each other, of all threads."""
        def walk(node):
            return [child.name if not child.children_node else
                    (child.name, walk(child)) for child in node.children_node]
        return [name for root in profiler.profiler_result.get_data().values()
                for name in walk(root)]

    def test_steps(self):
        handled = []
        with self.profile(on_trace_ready=handled.append) as profiler:
            for step in range(2):
                self.spend(f"s{step}", 1)
                profiler.step(num_samples=3)
        self.assertEqual(handled, [profiler])
        self.assertEqual(self.nodes(profiler), [
            ("ProfileStep#0", ["s0"]), ("ProfileStep#1", ["s1"]),
            "ProfileStep#2"])

    def test_a_range_and_a_function(self):
        ready = []
        with self.profile(scheduler=(2, 4), on_trace_ready=lambda profiler:
                          ready.append(self.nodes(profiler))) as profiler:
            for step in range(6):
                self.spend(f"s{step}", 1)
                profiler.step()
        self.assertEqual(ready, [[("ProfileStep#2", ["s2"]),
                                  ("ProfileStep#3", ["s3"])]])
        ready.clear()
        with self.profile(scheduler=lambda step:
                          P.ProfilerState.RECORD_AND_RETURN,
                          on_trace_ready=lambda profiler:
                          ready.append(profiler.step_num)) as profiler:
            for _ in range(3):
                profiler.step()
        self.assertEqual(ready, [1, 2, 3, 3])

    def test_data_that_paddle_drops_are_kept(self):
        state = P.ProfilerState
        for after in (state.CLOSED, state.READY):
            states = [state.RECORD, after, after]
            ready = []
            with self.profile(scheduler=lambda step: states[step],
                              on_trace_ready=lambda profiler: ready.append(
                                  self.nodes(profiler))) as profiler:
                self.spend("kept", 1)
                profiler.step()
                profiler.step()
            self.assertEqual(ready, [[("ProfileStep#0", ["kept"])]])

    def test_overlaps_and_unmatched_scopes_are_kept(self):
        with self.profile() as profiler:
            a, b = P.RecordEvent("a"), P.RecordEvent("b")
            a.begin(), self.clock.advance(1000)
            b.begin(), self.clock.advance(1000)
            a.end(), self.clock.advance(1000)
            b.end()
            never = P.RecordEvent("never")
            never.begin()
            P.RecordEvent("end only").end()
            twice = P.RecordEvent("twice")
            twice.begin(), twice.end(), twice.end()
            again = P.RecordEvent("begun twice")
            again.begin(), again.begin(), again.end()
        again.end()
        never.end()
        data = profiler.profiler_result.get_data()
        found = {}

        def walk(node):
            for child in node.children_node:
                found.setdefault(child.name, []).append(
                    child.end_ns - child.start_ns)
                walk(child)
        for root in data.values():
            walk(root)
        self.assertEqual((found["a"], found["b"]), ([2000], [2000]))
        self.assertEqual(len(found["begun twice"]), 2)
        self.assertIn("never", found)
        self.assertNotIn("end only", found)

    def test_nested_profilers_and_second_runs(self):
        with self.profile() as outer:
            self.spend("o1", 1)
            with self.profile() as inner:
                self.spend("i1", 1)
            self.spend("o2", 1)
        self.assertEqual(self.nodes(inner), [("ProfileStep#0", ["i1"])])
        self.assertEqual(self.nodes(outer), [
            ("ProfileStep#0", ["o1", ("ProfileStep#0", ["i1"]), "o2"])])
        with outer:
            self.spend("again", 1)
        self.assertEqual(self.nodes(outer), [("ProfileStep#0", ["again"])])

    def test_before_a_result_nothing_happens(self):
        profiler = self.profile()
        self.assertEqual(capture(profiler.summary), "")
        profiler.export("none.json")
        self.assertFalse(os.path.exists("none.json"))
        profiler.step()
        profiler.stop()
        with profiler:
            self.assertEqual(capture(profiler.summary), "")
        profiler.stop()

    def test_an_exception_passes_after_the_handler(self):
        handled = []
        with self.assertRaises(KeyError):
            with self.profile(on_trace_ready=handled.append):
                raise KeyError
        self.assertEqual(len(handled), 1)

    def test_targets_and_arguments(self):
        with self.assertWarns(UserWarning):
            profiler = self.profile(targets=[*CPU, P.ProfilerTarget.XPU])
        self.assertEqual(profiler.targets, CPU)
        # A device without a source of its scopes.
        with self.assertWarnsRegex(UserWarning, "GPU is not supported"):
            profiler = self.profile(targets=[*CPU, P.ProfilerTarget.GPU])
        self.assertEqual(profiler.targets, CPU)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(self.profile(targets=None).targets, CPU)
        with mock.patch("mlir_prof._scopes.has_devices", lambda: True):
            profiler = self.profile(targets=[P.ProfilerTarget.GPU])
        self.assertEqual(profiler.targets, [P.ProfilerTarget.GPU])
        with self.assertWarnsRegex(UserWarning, "with_flops"):
            self.profile(with_flops=True)
        with self.assertRaises(TypeError):
            P.Profiler(CPU)
        P.Profiler(targets=CPU)
        self.assertTrue(os.path.isdir("profiler_log"))

    def test_types_that_programs_do_not_record(self):
        with self.profile() as profiler:
            with self.assertWarnsRegex(UserWarning, "Kernel"):
                self.spend("k", 1, event_type=P.TracerEventType.Kernel)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                for name in ("Dataloader", "ProfileStep", "Forward", "Backward",
                             "Optimization", "PythonOp", "PythonUserDefined"):
                    self.spend(name, 1, event_type=P.TracerEventType[name])
        self.assertEqual(len(self.nodes(profiler)[0][1]), 7)

    def test_decorators(self):
        @P.RecordEvent("decorated")
        def function(value):
            self.clock.advance(1000)
            return value
        with self.profile() as profiler:
            self.assertEqual(function(3), 3)
        self.assertEqual(function.__name__, "function")
        self.assertEqual(self.nodes(profiler), [
            ("ProfileStep#0", ["decorated"])])

    def test_summary(self):
        with self.profile() as profiler:
            for _ in range(2):
                with P.RecordEvent("outer"):
                    self.clock.advance(2_000_000)
                    self.spend("inner", 1000)
                profiler.step()
        text = capture(profiler.summary)
        for view in ("Device", "Overview", "UserDefined"):
            self.assertIn(f"{view} Summary", text)
        udf = capture(profiler.summary, views=P.SummaryView.UDFView,
                      sorted_by=P.SortedKeys.CPUMin, time_unit="us")
        self.assertNotIn("Overview", udf)
        rows = {line.split()[0]: re.split(r"\s{2,}", line.strip())
                for line in udf.splitlines() if line.strip()}
        self.assertEqual(rows["outer"][1], "2")
        self.assertTrue(rows["outer"][2].startswith(
            "6000.00 / 3000.00 / 3000.00 / 3000.00"))
        self.assertTrue(rows["inner"][2].startswith(
            "2000.00 / 1000.00 / 1000.00 / 1000.00"))
        for key in P.SortedKeys:
            capture(profiler.summary, sorted_by=key, thread_sep=True,
                    op_detail=False, views=list(P.SummaryView))

    def test_many_threads_start_at_once(self):
        for _ in range(10):
            barrier = threading.Barrier(16)

            def work():
                barrier.wait()
                with P.RecordEvent("work"):
                    pass
            with self.profile() as profiler:
                threads = [threading.Thread(target=work) for _ in range(16)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            self.assertEqual(str(self.nodes(profiler)).count("work"), 16)

    def test_configuration(self):
        config = dict(
            targets=["CPU", "gpu"], timer_only=False,
            scheduler={"make_scheduler": {
                "module": "paddle.profiler", "use_direct": False, "args": [],
                "kwargs": dict(closed=1, ready=1, record=2)}},
            on_trace_ready={"export_chrome_tracing": {
                "module": "paddle.profiler", "use_direct": False,
                "args": ["traces"], "kwargs": {}}})
        pathlib.Path("config.json").write_text(json.dumps(config))
        with self.assertWarnsRegex(UserWarning, "GPU is not supported"):
            profiler = P.get_profiler("config.json")
        self.assertEqual(profiler.targets, CPU)
        self.assertEqual(profiler.scheduler(3),
                         P.ProfilerState.RECORD_AND_RETURN)
        self.assertTrue(os.path.isdir("traces"))
        pathlib.Path("config.json").write_text(json.dumps(
            dict(scheduler=[2, 4], targets=["TPU"])))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            profiler = P.get_profiler("config.json")
        self.assertIn("Set targets parameter error", output.getvalue())
        self.assertEqual(profiler.scheduler, [2, 4])
        self.assertIn("Load config file", capture(P.get_profiler, "no.json"))

    def test_the_timer(self):
        now = [0]
        with mock.patch.object(_timer.time, "perf_counter_ns",
                               lambda: now[0]):
            profiler = P.Profiler(timer_only=True)
            profiler.start()
            for _ in range(11):
                now[0] += 10**9
                profiler.step(num_samples=4)
            self.assertEqual(profiler.step_info(unit="images"),
                             " reader_cost: 0.00000 s batch_cost: 1.00000 s"
                             " ips: 4.000 images/s")
            summary = capture(profiler.stop)
            self.assertIn("Perf Summary", summary)
            self.assertNotIn("inf", summary)
            self.assertEqual(capture(profiler.stop), "")
        self.assertFalse(os.path.exists("profiler_log"))
        self.assertEqual(profiler.step_info(), "")

class First(Timed):
    def spend(self, name, us):
        with mlir_prof.scope(name):
            self.clock.advance(us * 1000)

    def test_arguments(self):
        for wrong in (("TPU",), ("CPU", "All")):
            with self.assertRaises(ValueError):
                first.start_profiler(*wrong)
        # Calls without effect do not look at their arguments.
        self.assertEqual(capture(first.stop_profiler, "median"), "")
        self.assertEqual(capture(first.stop_profiler), "")
        first.reset_profiler()
        first.start_profiler("CPU")
        first.start_profiler("TPU", "All")
        self.spend("a", 1)
        with self.assertRaises(ValueError):
            first.stop_profiler("median")
        self.assertTrue(first.is_profiler_enabled())
        self.assertIn("Place: CPU", capture(first.stop_profiler, None, "p"))

    def test_options(self):
        options = utils.ProfilerOptions({"state": "CPU",
                                         "batch_range": [1, 3]})
        self.assertEqual(options["sorted_key"], "default")
        self.assertIsNone(options["profile_path"])
        self.assertEqual(options.with_state("GPU")["state"], "GPU")
        with self.assertRaises(ValueError):
            options["nothing"]

    def test_a_profiler_of_steps(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            with utils.Profiler(options={"state": "CPU",
                                         "batch_range": [1, 3]}) as profiler:
                self.assertIs(utils.get_profiler(), profiler)
                for step in range(5):
                    self.spend(f"s{step}", 1)
                    profiler.record_step()
        report = output.getvalue()
        self.assertEqual(report.count("  Profiling Report  "), 1)
        self.assertEqual([f"s{step}" in report for step in range(5)],
                         [False, True, True, False, False])

    def test_exceptions_become_warnings(self):
        profiler = utils.Profiler(options={"state": "TPU"})
        with self.assertWarnsRegex(UserWarning, "TPU"):
            profiler.start()
        with utils.Profiler(enabled=False) as off:
            off.record_step()
            off.reset()
        self.assertFalse(first.is_profiler_enabled())


if __name__ == "__main__":
    unittest.main()
