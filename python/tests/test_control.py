# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures of running programs: windows, ranks, ends of all kinds, and sockets,
with controllers made here and with scopes."""

import collections
import enum
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import types
import unittest
from unittest import mock

import mlir_prof
from mlir_prof import control
from mlir_prof.control import _ranks, _record, _server
from mlir_prof.control._controller import make_controllers

HERE = pathlib.Path(__file__).resolve().parent
#: Variables of launchers that the tests may run under.
LAUNCHER = {name for pair in _ranks.RANKS for name in pair} | set(_ranks.JOBS)

#: A controller that writes its calls.
WRITER = """
    import json, os, signal, sys, time
    import mlir_prof
    from mlir_prof import control

    class Writer(control.Controller):
        name = "writer"
        files = ["calls.json"]

        def start(self, folder):
            self.calls = ["start"]

        def begin_step(self, number):
            self.calls.append(number)

        def end_step(self):
            self.calls.append("end")

        def stop(self, folder):
            (folder / "calls.json").write_text(json.dumps(self.calls + ["stop"]))
"""


def clean_environment(**more):
    environment = {name: value for name, value in os.environ.items()
                   if name not in LAUNCHER}
    return dict(environment, PYTHONPATH=os.pathsep.join(
        path for path in [str(HERE), *sys.path] if path), **more)


namespace = {}
exec(textwrap.dedent(WRITER), namespace)
Writer = namespace["Writer"]


class ControlTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        # Short, for sockets.
        patch = mock.patch.dict(os.environ, clean_environment(
            XDG_RUNTIME_DIR=scratch.name), clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def make(self, *controllers, **options):
        options.setdefault("listen", False)
        capture = control.Capture(
            self.folder / "runs", frameworks=list(controllers) or None, **options)
        self.addCleanup(capture.close)
        return capture

    def read(self, capture):
        return json.loads((capture.folder / "capture.json").read_text())

    def read_calls(self, capture, window):
        return json.loads((capture.folder / f"window-{window}" / "writer" /
                           "calls.json").read_text())

    def start_child(self, program, **environment):
        """A child that runs the program after WRITER."""
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER) +
             textwrap.dedent(program)], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=clean_environment(XDG_RUNTIME_DIR=str(self.folder),
                                  **environment))

    def run_child(self, program, code=0, **environment):
        child = self.start_child(program, **environment)
        out, error = child.communicate(timeout=120)
        self.assertEqual(child.returncode, code, error)
        return out

    def count(self, analysis):
        """Calls of scopes by name."""
        calls = collections.Counter()
        for row in analysis.report("scope"):
            calls[row["name"]] += row["calls"]
        return calls

    def find_record(self):
        """The record of the only rank."""
        path, = self.folder.glob("runs/*/rank-*/capture.json")
        return path, json.loads(path.read_text())


class Windows(ControlTest):
    def test_steps_and_rotation(self):
        writer = Writer(control.Settings())
        capture = self.make(writer, rotate_steps=2)
        self.assertEqual(capture.state, "idle")
        with capture:
            for _ in range(5):
                self.assertEqual(self.read(capture)["state"], "recording")
                capture.step()
        self.assertEqual(self.read_calls(capture, 0),
                         ["start", 0, "end", 1, "end", "stop"])
        self.assertEqual(self.read_calls(capture, 1),
                         ["start", 2, "end", 3, "end", "stop"])
        # The step that is open at the end is not whole.
        self.assertEqual(self.read_calls(capture, 2),
                         ["start", 4, "end", 5, "end", "stop"])
        record = self.read(capture)
        self.assertEqual(record["schema"], "mlir-prof.capture/1")
        self.assertEqual([window["steps"] for window in record["windows"]],
                         [[0, 1], [2, 3], [4]])
        self.assertEqual([window["files"] for window in record["windows"]],
                         [[{"framework": "writer",
                            "path": f"window-{number}/writer/calls.json"}]
                          for number in range(3)])
        self.assertEqual((record["state"], record["rank"], record["world_size"]),
                         ("stopped", 0, 1))
        self.assertLessEqual(record["begin_ns"], record["windows"][0]["begin_ns"])
        self.assertLessEqual(record["windows"][2]["end_ns"], record["end_ns"])
        self.assertEqual(record["job"], capture.job_folder.name)

    def test_starts_again_and_repeated_calls(self):
        capture = self.make(Writer(control.Settings()))
        capture.step()
        capture.stop()
        capture.start()
        capture.start()
        capture.step()
        capture.stop()
        capture.stop()
        capture.step()
        capture.start()
        capture.stop()
        record = self.read(capture)
        self.assertEqual([window["steps"] for window in record["windows"]],
                         [[0], []])
        self.assertEqual(capture.step_num, 1)

    def test_without_windows_a_controller_goes_on(self):
        writer = Writer(control.Settings())
        writer.has_windows = False
        with self.make(writer, rotate_steps=1) as capture:
            for _ in range(3):
                capture.step()
        files = [window["files"] for window in self.read(capture)["windows"]]
        self.assertEqual(files, [[], [], [], [
            {"framework": "writer", "path": "window-0/writer/calls.json"}]])
        self.assertEqual(self.read_calls(capture, 0).count("start"), 1)

    def test_schedule(self):
        with self.make(Writer(control.Settings()), schedule=(1, 3)) as capture:
            self.assertEqual(capture.state, "waiting")
            for _ in range(5):
                capture.step()
        self.assertEqual([window["steps"] for window in
                          self.read(capture)["windows"]], [[1, 2]])

    def test_a_controller_that_cannot_start(self):
        class Broken(Writer):
            name = "broken"

            def start(self, folder):
                raise control.ControlError("no device")

        good = Writer(control.Settings())
        capture = self.make(good, Broken(control.Settings()))
        with self.assertRaisesRegex(control.ControlError, "no device"):
            capture.start()
        self.assertEqual(good.calls, ["start"])
        self.assertEqual(capture.state, "stopped")

    def test_a_controller_that_cannot_stop_keeps_the_others(self):
        class Broken(Writer):
            name = "broken"

            def stop(self, folder):
                raise RuntimeError("device lost")

        capture = self.make(Writer(control.Settings()),
                            Broken(control.Settings()))
        capture.start()
        with self.assertRaisesRegex(control.ControlError, "broken: device lost"):
            capture.stop()
        record = self.read(capture)
        self.assertEqual(record["windows"][0]["state"], "failed")
        self.assertEqual(len(record["windows"][0]["files"]), 1)
        self.assertIn("broken: device lost", record["notes"])

    def test_arguments(self):
        for options in (dict(host_tracer_level=-1), dict(rotate_steps=-1),
                        dict(device_tracer_level="1")):
            with self.assertRaises(ValueError):
                control.Capture(self.folder, listen=False, **options)
        with self.assertRaisesRegex(control.ControlError, "'caffe'.*hint: one of"):
            self.make("caffe").start()

    def test_pythons_hook_serves_one_recorder(self):
        settings = control.Settings(python_tracer_level=1)
        made = make_controllers(["torch", "jax", "onnxruntime", "scopes"], settings)
        self.assertEqual([one.settings.python_tracer_level for one in made],
                         [1, 0, 1, 0])
        made = make_controllers(["scopes"], settings)
        self.assertEqual(made[0].settings.python_tracer_level, 1)

    def test_only_imported_frameworks(self):
        """Scopes are recorded where there is nothing else."""
        with mock.patch.dict(sys.modules):
            for name in [*control.CONTROLLERS, "mlir_prof._model"]:
                sys.modules.pop(name, None)
            made = make_controllers(None, control.Settings())
            self.assertEqual([one.name for one in made], ["scopes"])
            sys.modules["onnxruntime"] = types.ModuleType("onnxruntime")
            made = make_controllers(None, control.Settings())
            self.assertEqual([one.name for one in made], ["onnxruntime"])
            # A compiled model is in no framework's recording.
            sys.modules["mlir_prof._model"] = types.ModuleType("_model")
            made = make_controllers(None, control.Settings())
            self.assertEqual([one.name for one in made], ["onnxruntime", "scopes"])


class Ranks(ControlTest):
    def test_launchers(self):
        self.assertEqual(_ranks.find_rank([]), (0, 1))
        for variables, expected in (
                (dict(RANK="3", WORLD_SIZE="8"), (3, 8)),
                (dict(OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="2"), (1, 2)),
                (dict(SLURM_PROCID="2", SLURM_NTASKS="4"), (2, 4)),
                (dict(RANK_ID="5"), (5, 6))):
            with mock.patch.dict(os.environ, variables):
                self.assertEqual(_ranks.find_rank([]), expected)

        class Member(Writer):
            def get_rank(self):
                return 6, 7

        with mock.patch.dict(os.environ, RANK="3", WORLD_SIZE="8"):
            self.assertEqual(_ranks.find_rank([Member(control.Settings())]),
                             (6, 7))

    def test_a_job_of_several_has_a_name(self):
        with mock.patch.dict(os.environ, RANK="1", WORLD_SIZE="2"):
            with self.assertRaisesRegex(control.ControlError, "hint: pass job="):
                self.make(Writer(control.Settings())).start()
            os.environ["SLURM_JOB_ID"] = "../77"
            with self.make(Writer(control.Settings())) as capture:
                pass
            self.assertEqual(capture.job_folder, self.folder / "runs" / "_77")
            self.assertEqual(capture.folder.name, "rank-1")
            with self.assertRaisesRegex(control.ControlError, "exists already"):
                self.make(Writer(control.Settings())).start()

    def test_ranks_are_one_profile(self):
        program = """
            with mlir_prof.Capture(job="j", frameworks="scopes") as capture:
                for _ in range(3):
                    with mlir_prof.scope("work" + os.environ["RANK"]):
                        pass
                    capture.step()
        """
        for rank in "01":
            self.run_child(program, RANK=rank, WORLD_SIZE="3")
        analysis = mlir_prof.analyze(self.folder / "runs")
        calls = self.count(analysis)
        self.assertEqual((calls["work0"], calls["work1"]), (3, 3))
        self.assertEqual([rank["rank"] for rank in analysis.ranks], [0, 1])
        self.assertEqual(analysis.notes, ["1 of 3 ranks are missing: 2"])
        self.assertEqual(analysis.path,
                         self.folder / "runs" / "j" / "capture.mlprof")
        # One rank alone.
        alone = mlir_prof.analyze(self.folder / "runs" / "j" / "rank-1")
        names = {row["name"] for row in alone.report("scope")}
        self.assertTrue("work1" in names and "work0" not in names)


class CompiledModels(ControlTest):
    def test_calls_are_scopes(self):
        import numpy
        model = mlir_prof.compile("""
            func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
              %y = math.absf %x : tensor<4xf32>
              return %y : tensor<4xf32>
            }""")
        call = type(model).__call__
        with self.make("scopes") as capture:
            for _ in range(3):
                result, = numpy.atleast_2d(model(numpy.full(4, -2, "float32")))
                capture.step()
        self.assertEqual(list(result), [2] * 4)
        self.assertIs(type(model).__call__, call)
        self.assertEqual(self.count(capture.analyze())[repr(model)], 3)


class Ends(ControlTest):
    """How a process may end, and what is kept."""

    def test_exception(self):
        self.run_child("""
            with mlir_prof.Capture(frameworks=[Writer(control.Settings())]) as c:
                c.step()
                raise ValueError("wrong shape")
        """, code=1)
        record = self.find_record()[1]
        self.assertEqual(record["error"], "ValueError: wrong shape")
        self.assertEqual((record["state"], record["windows"][0]["state"]),
                         ("stopped", "complete"))

    def test_uncaught_exception_and_exit(self):
        for end, error in (("raise KeyError(1)", "KeyError: 1"),
                           ("sys.exit(1)", None)):
            with self.subTest(end):
                self.run_child(f"""
                    c = mlir_prof.Capture({end[:3]!r},
                                          frameworks=[Writer(control.Settings())])
                    c.start()
                    c.step()
                    {end}
                """, code=1)
                path, = self.folder.glob(f"{end[:3]}/*/rank-0/capture.json")
                record = json.loads(path.read_text())
                self.assertEqual(record.get("error"), error)
                self.assertEqual(record["windows"][0]["steps"], [0])
                self.assertEqual(record["windows"][0]["state"], "complete")

    def test_sigterm_ends_the_process(self):
        self.run_child("""
            with mlir_prof.Capture(frameworks=[Writer(control.Settings())]) as c:
                c.step()
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(60)
        """, code=-signal.SIGTERM)
        record = self.find_record()[1]
        self.assertEqual((record["state"], record["error"]),
                         ("stopped", "SIGTERM"))
        self.assertEqual(len(record["windows"][0]["files"]), 1)

    def test_handlers_of_the_program_run(self):
        out = self.run_child("""
            def handle(number, frame):
                print("handled", c.state)
                sys.exit(3)
            signal.signal(signal.SIGTERM, handle)
            c = mlir_prof.Capture(frameworks=[Writer(control.Settings())])
            c.start()
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(60)
        """, code=3)
        self.assertEqual(out, "handled stopped\n")

    def test_handlers_are_put_back(self):
        before = signal.getsignal(signal.SIGTERM)
        with self.make(Writer(control.Settings())):
            self.assertNotEqual(signal.getsignal(signal.SIGTERM), before)
        self.assertEqual(signal.getsignal(signal.SIGTERM), before)

    def test_a_signal_within_an_operation_waits_for_it(self):
        self.run_child("""
            class Slow(Writer):
                def stop(self, folder):
                    os.kill(os.getpid(), signal.SIGTERM)
                    time.sleep(0.01)
                    super().stop(folder)
            c = mlir_prof.Capture(frameworks=[Slow(control.Settings())])
            c.start()
            c.stop()
            time.sleep(60)
        """, code=-signal.SIGTERM)
        record = self.find_record()[1]
        self.assertEqual(record["windows"][0]["state"], "complete")

    def kill_in_step(self, end, code):
        child = self.start_child(f"""
            c = mlir_prof.Capture(frameworks=[Writer(control.Settings()),
                                              "scopes"], rotate_steps=2)
            c.start()
            for step in range(5):
                with mlir_prof.scope("work"):
                    pass
                c.step()
            {end}
        """)
        if code == -signal.SIGKILL:
            child.stdout.readline()
            child.kill()
        _, error = child.communicate(timeout=120)
        self.assertEqual(child.returncode, code, error)
        path, record = self.find_record()
        self.assertEqual([window["state"] for window in record["windows"]],
                         ["complete", "complete", "recording"])
        # The tool does not read this writer's files.
        for window in record["windows"]:
            window["files"] = [file for file in window["files"]
                               if file["framework"] == "scopes"]
        _record.write(path.parent, {key: value for key, value in record.items()
                                    if key != "schema"})
        analysis = mlir_prof.analyze(self.folder / "runs")
        calls = self.count(analysis)
        # Scopes survive to the last, others until the last rotation.
        self.assertEqual(calls["work"], 5)
        self.assertEqual(analysis.notes, [
            "rank 0: the process ended while it recorded: the last steps of "
            "writer are lost, from step 4 on"])

    def test_kill(self):
        self.kill_in_step("print('ready', flush=True); time.sleep(60)",
                          -signal.SIGKILL)

    def test_exit_without_cleaning_up(self):
        self.kill_in_step("os._exit(5)", 5)

    def test_a_child_does_not_record(self):
        capture = self.make(Writer(control.Settings()))
        capture.start()
        before = self.read(capture)
        pid = os.fork()
        if not pid:
            capture.step()
            capture.stop()
            os._exit(0)
        os.waitpid(pid, 0)
        self.assertEqual(self.read(capture), before)
        capture.stop()
        self.assertEqual(self.read(capture)["state"], "stopped")

    def test_the_record_is_as_its_schema(self):
        root = HERE.parents[1]
        with mock.patch.object(sys, "path", [str(root / "test" / "lib")]):
            from json_schema import Schema
        schema = Schema(json.loads(
            (root / "docs" / "schemas" / "capture.json").read_text()))
        capture = self.make(Writer(control.Settings()), rotate_steps=1)
        with self.assertRaises(ValueError), capture:
            self.assertIsNone(schema.find_error(self.read(capture)))
            capture.step()
            raise ValueError
        self.assertIsNone(schema.find_error(self.read(capture)))

    def test_nothing_to_analyze(self):
        with self.assertRaisesRegex(control.ControlError, "does not have"):
            mlir_prof.analyze(self.folder)
        with self.assertRaisesRegex(control.ControlError, "start"):
            self.make().analyze()
        (self.folder / "capture.json").write_text("{}")
        with self.assertRaisesRegex(control.ControlError, "another form"):
            mlir_prof.analyze(self.folder)


class Sockets(ControlTest):
    def ask(self, line, pid=None):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(
                str(_server.get_folder() / f"{pid or os.getpid()}.sock"))
            connection.sendall(line.encode("latin-1") + b"\n")
            with connection.makefile() as answer:
                return json.loads(answer.readline())

    def test_start_and_stop_from_outside(self):
        child = self.start_child("""
            import threading
            class Where(Writer):
                def start(self, folder):
                    super().start(folder)
                    print(threading.current_thread() is threading.main_thread(),
                          flush=True)
            c = mlir_prof.Capture(frameworks=[Where(control.Settings())])
            print("ready", flush=True)
            while c.state != "stopped":
                time.sleep(0.01)
                c.step()
            print("done", flush=True)
        """)
        self.assertEqual(child.stdout.readline(), "ready\n")
        status = self.ask('{"verb": "status"}', child.pid)
        self.assertEqual((status["state"], status["folder"]), ("idle", None))
        status = self.ask('{"verb": "start"}', child.pid)
        self.assertEqual((status["state"], status["frameworks"]),
                         ("recording", ["writer"]))
        status = self.ask('{"verb": "stop"}', child.pid)
        self.assertEqual(status["state"], "stopped")
        out, error = child.communicate(timeout=60)
        self.assertEqual((out, error), ("True\ndone\n", ""))
        self.assertEqual(self.read(types.SimpleNamespace(
            folder=pathlib.Path(status["folder"])))["state"], "stopped")
        self.assertFalse((_server.get_folder() / f"{child.pid}.sock").exists())

    def test_only_the_user_may_open_it(self):
        capture = self.make(Writer(control.Settings()), listen=True)
        path = _server.get_folder() / f"{os.getpid()}.sock"
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(path.parent.stat().st_mode & 0o777, 0o700)
        capture.close()
        self.assertFalse(path.exists())
        path.parent.chmod(0o755)
        with self.assertWarnsRegex(RuntimeWarning, "hint: chmod 700"):
            self.make(Writer(control.Settings()), listen=True)

    def test_errors(self):
        self.make("caffe", listen=True)
        answer = self.ask('{"verb": "start"}')
        self.assertRegex(answer["error"], "'caffe' is no controller")
        self.assertRegex(answer["hint"], "one of torch")
        for line in ('{"verb": "erase"}', '{"verb": []}', "[]", "{", "", "\xff",
                     "[" * 100000):
            self.assertIn("not understood", self.ask(line)["error"])

    def test_folders(self):
        self.assertEqual(_server.get_folder(), self.folder / "mlir-prof")
        del os.environ["XDG_RUNTIME_DIR"]
        with mock.patch.dict(os.environ, MLIR_PROF_CACHE="/c"):
            self.assertEqual(str(_server.get_folder()), "/c/control")
        with mock.patch.dict(os.environ, MLIR_PROF_CACHE="off",
                             XDG_CACHE_HOME="/x"):
            self.assertEqual(str(_server.get_folder()), "/x/mlir-prof/control")

    def test_tool(self):
        """mlir-prof control, from the outside."""
        self.make(Writer(control.Settings()), listen=True)
        pid = str(os.getpid())
        self.assertEqual(mlir_prof.run("control", pid, "status"),
                         "idle, step 0\n")
        self.assertRegex(mlir_prof.run("control", pid, "start"),
                         r"^recording, step 0, writer, /.*/rank-0\n$")
        status = json.loads(mlir_prof.run("control", pid, "stop",
                                          "--format=json"))
        self.assertEqual((status["state"], status["windows"]), ("stopped", 1))
        self.make("caffe", listen=True)
        for arguments, text in (
                ((pid, "start"), "'caffe' is no controller\n  hint: one of"),
                (("1", "start"), "process 1: does not listen\n  hint: "),
                ((str(2**22 + 1), "stop"), "does not exist\n  hint: "),
                ((pid, "pause"), "'pause' is not one of start, stop, status"),
                (("x", "stop"), "'x' is not the number of a process")):
            with self.assertRaises(mlir_prof.ToolError) as raised:
                mlir_prof.run("control", *arguments)
            self.assertIn(text, str(raised.exception))


class MindSpore(ControlTest):
    """Against a module with MindSpore's signatures."""

    def setUp(self):
        super().setUp()
        calls = self.calls = []

        class Profiler:
            def __init__(self, **named):
                calls.append(named)
                self.folder = pathlib.Path(named["output_path"])

            def start(self):
                calls.append("start")

            def stop(self):
                calls.append("stop")

            def analyse(self):
                calls.append("analyse")
                output = self.folder / "p" / "ASCEND_PROFILER_OUTPUT"
                output.mkdir(parents=True)
                (output / "op_statistic.csv").write_text("")

        module = types.ModuleType("mindspore")
        module.__version__ = "2.7.1"
        module.Profiler = Profiler
        module.get_context = {"device_target": "Ascend", "device_id": 3}.get
        module.profiler = types.SimpleNamespace(ProfilerLevel=types.SimpleNamespace(
            Level0="l0", Level1="l1", Level2="l2"))
        patch = mock.patch.dict(sys.modules, mindspore=module)
        patch.start()
        self.addCleanup(patch.stop)

    def test_controller(self):
        with self.make("mindspore", device_tracer_level=1) as capture:
            capture.step()
        named, *calls = self.calls
        self.assertEqual(named, dict(
            output_path=str(capture.folder / "window-0" / "mindspore"),
            start_profile=False, profiler_level="l1"))
        self.assertEqual(calls, ["start", "stop", "analyse"])
        record = self.read(capture)
        self.assertEqual(record["notes"], [])
        self.assertEqual(record["frameworks"], [
            {"name": "mindspore", "version": "2.7.1", "devices": ["Ascend:3"]}])
        # The folder is read as a whole.
        self.assertEqual([file["path"] for file in record["windows"][0]["files"]],
                         ["window-0/mindspore/p/ASCEND_PROFILER_OUTPUT"])

    def test_no_steps_on_a_processor(self):
        module = sys.modules["mindspore"]
        module.get_context = {"device_target": "CPU", "device_id": 0}.get
        with self.make("mindspore", rotate_steps=1) as capture:
            capture.step()
        [note] = self.read(capture)["notes"]
        self.assertIn("MindSpore does not mark steps", note)


class Paddle(ControlTest):
    """Against a module with Paddle's signatures."""

    def test_steps_go_on_through_windows(self):
        calls = []

        class Profiler:
            def __init__(self, *, targets, record_shapes, on_trace_ready):
                self.step_num = 0
                calls.append((targets, record_shapes))

            def start(self):
                calls.append(f"start {self.step_num}")

            def step(self):
                calls.append("step")

            def stop(self):
                calls.append("stop")

            def export(self, path, format):
                calls.append(format)
                pathlib.Path(path).write_text("{}")

        target = types.SimpleNamespace
        paddle = types.ModuleType("paddle")
        paddle.device = target(get_available_device=lambda: ["cpu"])

        class ProfilerTarget(enum.Enum):
            CPU = 0
            GPU = 1

        paddle.profiler = target(
            Profiler=Profiler, ProfilerTarget=ProfilerTarget,
            profiler=target(_get_supported_targets=lambda: [ProfilerTarget.CPU]))
        with mock.patch.dict(sys.modules, paddle=paddle):
            with self.make("paddle", rotate_steps=2) as capture:
                for _ in range(2):
                    capture.step()
        self.assertEqual(calls, [([ProfilerTarget.CPU], True), "start 0", "step",
                                 "stop", "json", ([ProfilerTarget.CPU], True),
                                 "start 2", "stop", "json"])
        self.assertEqual([file["path"] for window in self.read(capture)["windows"]
                          for file in window["files"]],
                         ["window-0/paddle/paddle.json",
                          "window-1/paddle/paddle.json"])


class CompatibleProfiler(ControlTest):
    def make_profiler(self, **options):
        from mlir_prof.compat.mindspore import Profiler
        with mock.patch("mlir_prof.control._capture.make_controllers",
                        lambda names, settings: make_controllers("scopes",
                                                                 settings)):
            profiler = Profiler(output_path=str(self.folder / "data"), **options)
            self.addCleanup(profiler.capture.close)
            if options.get("start_profile") is False:
                profiler.start()
        return profiler

    def test_calls(self):
        profiler = self.make_profiler(start_profile=False)
        with mlir_prof.scope("work"):
            pass
        with self.assertRaisesRegex(RuntimeError, "already started"):
            profiler.start()
        profiler.stop()
        with self.assertRaisesRegex(RuntimeError, "has not started"):
            profiler.stop()
        for analysis in (profiler.analyse(),
                         profiler.offline_analyse(self.folder / "data")):
            self.assertIn("work", [row["name"] for row in
                                   analysis.report("scope")])

    def test_analyse_stops(self):
        profiler = self.make_profiler()
        profiler.step()
        profiler.analyse()
        self.assertEqual(profiler.capture.state, "stopped")

    def test_arguments(self):
        from mlir_prof.compat.mindspore import ProfilerLevel
        with self.assertWarnsRegex(UserWarning, "op_time.*ignored"):
            profiler = self.make_profiler(op_time=True, with_stack=True,
                                          profiler_level=ProfilerLevel.Level2)
        self.assertEqual(profiler.capture.settings, control.Settings(2, 1, 3))
        with self.assertRaisesRegex(TypeError, "op_tyme"):
            self.make_profiler(op_tyme=True)
        with self.assertRaisesRegex(ValueError, "profiler_level"):
            self.make_profiler(profiler_level=7)


if __name__ == "__main__":
    unittest.main()
