# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paddle.profiler.profiler."""

import enum
import importlib
import json
import sys
import warnings

from .... import _handlers, _schedule, _scopes
from ...._profiler import Profiler as OwnProfiler
from .profiler_statistic import SortedKeys
from .result import FORMATS, make_result


class SummaryView(enum.Enum):
    """The tables of summary()."""

    DeviceView = 0
    OverView = 1
    ModelView = 2
    DistributedView = 3
    KernelView = 4
    OperatorView = 5
    MemoryView = 6
    MemoryManipulationView = 7
    UDFView = 8


class ProfilerState(enum.Enum):
    """The state of a profiler at a step."""

    CLOSED = 0
    READY = 1
    RECORD = 2
    RECORD_AND_RETURN = 3


class ProfilerTarget(enum.Enum):
    """The places whose work is recorded."""

    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM_DEVICE = 3


def make_scheduler(*, closed, ready, record, repeat=0, skip_first=0):
    """The function from a step to its state: after `skip_first` steps, `repeat`
    times (0: without end) closed, ready and recorded steps."""
    for name, count, least in (
            ("record", record, 1), ("closed", closed, 0), ("ready", ready, 0),
            ("repeat", repeat, 0), ("skip_first", skip_first, 0)):
        if not isinstance(count, int) or count < least:
            raise AssertionError(f"Invalid profiler scheduler arguments: {name} "
                                 f"is {count!r}, which must be from {least}")
    if ready == 0:
        warnings.warn("A profiler that is not ready a step before it records "
                      "measures its own preparation in the first step.")
    own = _schedule.schedule(closed, ready, record, repeat, skip_first)
    return lambda step: ProfilerState(own(step).value)


def _make_export(format):
    return lambda profiler, path: profiler.export(path, format)


def export_chrome_tracing(dir_name, worker_name=None):
    """A handler that writes a Chrome trace into a folder."""
    return _handlers.make_handler(dir_name, worker_name, "paddle_trace.json",
                                  _make_export("json"))


def export_protobuf(dir_name, worker_name=None):
    """A handler that writes Paddle's protobuf into a folder."""
    return _handlers.make_handler(dir_name, worker_name, "paddle_trace.pb",
                                  _make_export("pb"))


#: The names of the tables in mlir-prof's style.
_VIEWS = {SummaryView.DeviceView: "device", SummaryView.OverView: "overview",
          SummaryView.ModelView: "model",
          SummaryView.DistributedView: "distributed",
          SummaryView.KernelView: "kernel",
          SummaryView.OperatorView: "operator",
          SummaryView.MemoryView: "memory",
          SummaryView.MemoryManipulationView: "memory-manipulation",
          SummaryView.UDFView: "udf"}


class Profiler:
    """Records steps. Any number of them may run at the same time, and each may
    be used again."""

    def __init__(self, *, targets=None, scheduler=None, on_trace_ready=None,
                 record_shapes=False, profile_memory=False, timer_only=False,
                 emit_nvtx=False, custom_device_types=None, with_flops=False):
        self.targets = self._choose_targets(targets)
        if isinstance(scheduler, (tuple, list)):
            assert len(scheduler) == 2 and scheduler[1] > scheduler[0] >= 0, (
                f"the steps {scheduler} are not a first one and a later end")
        self.scheduler = scheduler
        self.on_trace_ready = (export_chrome_tracing("./profiler_log/")
                               if on_trace_ready is None and not timer_only
                               else on_trace_ready)
        self.timer_only = timer_only
        if profile_memory:
            warnings.warn("profile_memory: scopes count the allocations that "
                          "libraries of the process report; allocators of "
                          "frameworks do not, so that the memory view is empty")
        for name, given in (("record_shapes", record_shapes),
                            ("emit_nvtx", emit_nvtx),
                            ("custom_device_types", custom_device_types),
                            ("with_flops", with_flops)):
            if given:
                warnings.warn(f"{name}: scopes do not have these data; those of "
                              "other recordings are read by mlir-prof import")
        has_devices = ProfilerTarget.GPU in self.targets
        self._own = OwnProfiler(
            schedule=_schedule.as_schedule(scheduler), steps=True,
            on_trace_ready=self._handle, timer_only=timer_only,
            count=["allocations"] if profile_memory else [],
            device_tracer_level=int(has_devices))
        self.profiler_result = None

    @staticmethod
    def _choose_targets(targets):
        supported = [ProfilerTarget.CPU]
        if _scopes.has_devices():
            supported.append(ProfilerTarget.GPU)
        if targets is None:
            return supported
        for target in targets:
            if target not in supported:
                warnings.warn(f"Profiling {target} is not supported without a "
                              "source of its scopes; it is left out.")
        return [target for target in targets if target in supported]

    @property
    def step_num(self):
        return self._own.step_num

    @property
    def current_state(self):
        return ProfilerState(self._own.state.value)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exception):
        self.stop()

    def start(self):
        """Starts it."""
        self._own.start()

    def stop(self):
        """Stops it; a recording that is not handed over yet is."""
        was_running = self._own.is_running
        self._own.stop()
        if self.timer_only and was_running:
            print(self._own.timer.summary(), end="", flush=True)

    def step(self, num_samples=None):
        """Ends a step and begins the next one."""
        self._own.step(num_samples)

    def step_info(self, unit=None):
        """Averages of the steps since the last call, as text."""
        return self._own.step_info(unit)

    def _handle(self, own):
        self.profiler_result = _LazyResult(own)
        if self.on_trace_ready:
            self.on_trace_ready(self)

    def export(self, path="", format="json"):
        """Writes the last recording as "json" or "pb"; without one it does
        nothing."""
        if self.profiler_result is None:
            return
        if format not in FORMATS:
            raise ValueError(f"format is {format!r}; it is one of "
                             f"{', '.join(FORMATS)}")
        self._own.export(path, FORMATS[format])

    def summary(self, sorted_by=SortedKeys.CPUTotal, op_detail=True,
                thread_sep=False, time_unit="ms", views=None):
        """Prints tables of the last recording; without one it does nothing."""
        if self.profiler_result is None:
            return
        if isinstance(views, SummaryView):
            views = [views]
        table = self._own.summary(
            sort=sorted_by.name, op_detail=bool(op_detail),
            separates_threads=bool(thread_sep), unit=time_unit,
            views=[_VIEWS[view] for view in views] if views else None)
        print(table, end="", flush=True)
        for note in table.notes:
            print(f"note: {note}", file=sys.stderr)


class _LazyResult:
    """The result of a profiler, made when it is asked for."""

    def __init__(self, own):
        self._own = own
        self._made = None

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if self._made is None:
            self._made = make_result(self._own)
        return getattr(self._made, name)


# ------------------------------------------------------------------------------
# Configuration files
# ------------------------------------------------------------------------------


def _make_object(description):
    """The result of a call that a configuration describes, such as
    {"make_scheduler": {"module": "paddle.profiler", "use_direct": false,
    "args": [], "kwargs": {}}}."""
    (name, call), = description.items()
    module = call.get("module", "paddle.profiler")
    if module.split(".")[0] == "paddle":
        module = __package__
    function = getattr(importlib.import_module(module), name)
    if call.get("use_direct"):
        return function
    return function(*call.get("args", []), **call.get("kwargs", {}))


def _read_scheduler(value):
    return _make_object(value) if isinstance(value, dict) else list(value)


def get_profiler(config_path):
    """A profiler with the arguments of a JSON file; those that cannot be used
    have their defaults, and are told."""
    try:
        with open(config_path, encoding="utf-8") as file:
            config = json.load(file)
    except (OSError, ValueError) as error:
        print(f"Load config file for profiler error: {error}")
        print("Use default parameters instead.")
        return Profiler()
    readers = {
        "targets": lambda names: [ProfilerTarget[name.upper()]
                                  for name in names],
        "scheduler": _read_scheduler,
        "on_trace_ready": _make_object,
    }
    arguments = {}
    for name in ("targets", "scheduler", "on_trace_ready", "record_shapes",
                 "profile_memory", "timer_only", "emit_nvtx",
                 "custom_device_types", "with_flops"):
        if config.get(name) is None:
            continue
        try:
            arguments[name] = readers.get(name, lambda value: value)(config[name])
        except Exception as error:
            print(f"Set {name} parameter error ({error}), use default parameter "
                  "instead.")
    return Profiler(**arguments)
