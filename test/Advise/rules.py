#!/usr/bin/env python3
"""Asks each rule about a recording where it is true and one where it is not.

usage: rules.py MLIR_PROF FOLDER [RULE...]

The recordings are written here, event by event, so that what a rule must say is
computed by hand: the figures stand beside the events. Times are microseconds.
"""

import json
import pathlib
import subprocess
import sys

tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
US = 10**6
MODEL = pathlib.Path(__file__).parents[1] / "data/modules/net.mlir"


class Kineto:
    """A trace of PyTorch's profiler: ops one after another, of one thread each."""

    suffix = ".json"

    def __init__(self):
        self.events, self.now = [], {}

    def add(self, name, duration, shapes=None, thread=1, category="cpu_op", begin=None, times=1):
        for _ in range(times):
            at = self.now.get(thread, 0) if begin is None else begin
            args = {} if shapes is None else {"Input Dims": shapes}
            self.events.append({"ph": "X", "cat": category, "name": name, "pid": 1,
                                "tid": thread, "ts": at, "dur": duration, "args": args})
            self.now[thread] = max(self.now.get(thread, 0), at + duration)
        return self

    def step(self, number, begin, duration):
        return self.add(f"ProfilerStep#{number}", duration, begin=begin,
                        category="user_annotation")

    def write(self, path):
        path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [],
                                    "traceEvents": self.events}))


class Text:
    def __init__(self, text, suffix):
        self.text, self.suffix = text, suffix

    def write(self, path):
        path.write_text(self.text)


def steps(duration, work, others=(), count=4, gap=0):
    """`count` steps, each with a product of `work` at its end."""
    trace = Kineto()
    for number in range(count):
        begin = number * (duration + gap)
        trace.step(number, begin, duration)
        for name, begin_in, length, category in others:
            trace.add(name, length, begin=begin + begin_in, category=category)
        trace.add("aten::mm", work, begin=begin + duration - work)
    return trace


def copies(stall):
    trace = Kineto().add("aten::mm", 90, times=10).add("aten::copy_", 10, times=10)
    return trace.add("aten::copy_", stall) if stall else trace


def pool(second):
    rows = ["name,begin_us,duration_us,thread"]
    for number in range(8):
        rows += [f"work,{number * 100},80,pool/1", f"work,{number * 100},{second},pool/2"]
    return Text("\n".join(rows) + "\n", ".csv")


def compilations(times):
    return Kineto().add("aten::mm", 100, times=10).add(
        "Inductor compile", 50, thread=2, category="user_annotation", times=times)


def shapes(count):
    trace = Kineto()
    for number in range(25):
        rows = number % 5 if number % 5 < count else 0
        trace.step(number, number * 100, 90)
        trace.add("aten::relu", 10, [[rows + 1, 8]], begin=number * 100)
    return trace


def products(rows):
    trace = Kineto()
    for number in range(13):
        trace.add("aten::mm", 4, [[rows, 64], [64, 64]], times=5)
    return trace.add("aten::relu", 20, [[rows, 64]], times=50)


def fallbacks(kernel):
    return Kineto().add(kernel, 10, times=10).add("aten::mm", 90, times=10)


def faults(clear, lock, back):
    fault = "main;scale;asm_exc_page_fault"
    return Text(f"main;scale {100 - clear - lock - back}\n{fault};clear_page_erms {clear}\n"
                f"{fault};lock {lock}\nmain;munmap;unmap_vmas {back}\n",
                ".folded")


def coverage(known):
    rows = ["name,begin_us,duration_us,op,location,thread"]
    rows += [f"{'net/up/matmul' if n < known else 'elsewhere'},{n * 10},10,,,main"
             for n in range(10)]
    return Text("\n".join(rows) + "\n", ".csv")


def losses(away):
    # More than a month from the first event is no place in the recording.
    trace = Kineto().add("aten::mm", 100, times=10)
    return trace.add("aten::mm", 100, begin=away) if away else trace


def eager(work):
    # An op around each of 100 calls takes 8 beside them.
    trace = Kineto()
    for number in range(100):
        trace.add("aten::linear", 8 + work, begin=number * 100)
        trace.add("aten::addmm", work, begin=number * 100 + 4)
    return trace


class Job:
    """A folder of MindSpore: the files of each rank by name, with {} for the rank."""

    suffix = ""

    def __init__(self, *ranks):
        self.ranks = ranks

    def write(self, path):
        path.mkdir()
        for rank, files in enumerate(self.ranks):
            for name, text in files.items():
                (path / name.format(rank)).write_text(text)


def step_table(interval, passes, tail):
    """Four steps, the first without an interval; microseconds."""
    lines, begin = ["step_num,start_point,end_point,total,fp_point,bp_point,"
                    "iteration_interval,fp_and_bp,tail"], 10**9
    for number in range(1, 5):
        first = begin + (interval * 100 if number > 1 else 0)
        last = first + passes * 100
        end = last + tail * 100
        lines.append(f"{number},{begin},{end},{end - begin},{first},{last},{first - begin},"
                     f"{last - first},{end - last}")
        begin = end
    return {"step_trace_raw_{}_detail_time.csv": "\n".join(lines) + "\n"}


def gpu_ops(*totals):
    lines = ["op_side,op_type,op_name,op_full_name,op_occurrences,op_total_time(us),"
             "op_avg_time(us),total_proportion,cuda_activity_cost_time(us),"
             "cuda_activity_call_count"]
    lines += [f"Device,Mul,Mul-op{n},Default/Mul-op{n},1,{total},{total},0,0,0"
              for n, total in enumerate(totals)]
    return {"gpu_op_detail_info_{}.csv": "\n".join(lines) + "\n"}


def links(**rates):
    """One transfer of 1 ms over each link."""
    info = {name[1:].replace("_", "-"): {"SDMA": [1.0, kb, kb * 1000]}
            for name, kb in rates.items()}
    quoted = json.dumps({"allReduce": ["1", 1.0, 0.0, info]}).replace('"', '""')
    return {"hccl_raw_{}.csv":
            "step_num,communication_cost,wait_cost,link_info,communication_operator_cost\n"
            f'1,1.0,0.0,{{}},"{quoted}"\n'}


def device_queue(*sizes):
    return {"device_queue_profiling_{}.txt":
            "".join(f"1 8 {n} {size} {n}\n" for n, size in enumerate(sizes, 1))}


def stages(*sizes):
    """A stage with this queue, and the one that takes its elements."""
    info = [{"op_id": 0, "op_type": "Batch", "num_workers": 1, "metrics": None, "children": [1]},
            {"op_id": 1, "op_type": "Map", "num_workers": 1, "children": None,
             "metrics": {"output_queue": {"length": 10, "size": list(sizes)}}}]
    return {"pipeline_profiling_{}.json":
            json.dumps({"sampling_interval": 10, "op_info": info})}


# rule: (true, figures there, silent, options). The gain is in microseconds.
CASES = {
    # Four steps of 100 in which 60 run: 40 of each are idle.
    "idle-gaps": (steps(100, 60), {"gain": 160, "basis": 400, "within_steps_ps": 160 * US},
                  steps(100, 95), []),
    # Loading takes 30 of the 40 idle ones; the frame within it is a part of it.
    "input-pipeline": (
        steps(100, 60, [("enumerate(DataLoader)#next", 0, 30, "user_annotation")]),
        {"gain": 120, "basis": 400, "input_ps": 120 * US},
        steps(100, 60, [("enumerate(DataLoader)#next", 0, 5, "user_annotation")]), []),
    # 10 copies of 10 beside 900 of work. One of 8000 beside two of 10 is a stall.
    "layout-changes-and-copies": (
        copies(0), {"gain": 100, "basis": 1000, "moved_ppm": 100000},
        Kineto().add("aten::mm", 1000, times=10).add("aten::copy_", 10, times=2).add(
            "aten::copy_", 8000), []),
    # 640 and 320: the mean is 480, 160 below the busiest.
    "thread-imbalance": (pool(40), {"gain": 160, "basis": 640, "mean_ps": 480 * US, "threads": 2},
                         pool(75), []),
    # Of five compilations of 50 one is needed.
    "repeated-recompilation": (compilations(5), {"gain": 200, "compilations": 5},
                               compilations(2), []),
    # Of 25 calls 10 have one row.
    "many-dynamic-shapes": (shapes(4), {"gain": None, "shapes": 4, "calls": 25,
                                        "most_common_ppm": 400000}, shapes(3), []),
    # 13 times 5 products of 4 of one row: 260, of which 7/8.
    "small-batch": (products(1), {"gain": 227.5, "rows": 1, "share_ppm": 206349},
                    products(8), []),
    # 100 of 1000. How fast a tuned kernel is the recording does not tell.
    "fallback-kernels": (fallbacks("aten::_slow_fallback"),
                         {"gain": None, "fallback_ppm": 100000},
                         fallbacks("aten::_slow_conv2d"), []),
    # 36 of 100 samples of a millisecond are below the fault, and 4 give back. A program
    # that starts takes memory, and gives back none.
    "page-fault-churn": (faults(21, 15, 4), {"gain": 40000, "fault_ppm": 400000},
                         faults(21, 15, 0), ["--sample-period=1ms"]),
    # 3 of 10 have no op in the module.
    "low-coverage": (coverage(7), {"gain": None, "unowned_ppm": 300000},
                     coverage(10), [f"--model={MODEL}"]),
    "lost-measurements": (losses(40 * 24 * 3600 * US), {"gain": None, "lost_ps": 100 * US},
                          losses(0), []),
    # Three steps wait 600 of 2000 each; the first does not count.
    "long-interval": (Job(step_table(600, 1000, 400)),
                      {"gain": 1800, "basis": 6000, "interval_ps": 600 * US, "steps": 3,
                       "interval_ppm": 300000},
                      Job(step_table(400, 1000, 400)), []),
    # 500 of 2000 follow the backward pass.
    "long-tail": (Job(step_table(500, 1000, 500)),
                  {"gain": None, "tail_ps": 500 * US, "tail_ppm": 250000},
                  Job(step_table(500, 1200, 300)), []),
    # 90 of 100 in three of eight ops; 60 of 160 if all take the same.
    "top-ops": (Job(gpu_ops(40, 30, 20, 2, 2, 2, 2, 2)),
                {"gain": None, "top_ps": 90 * US, "top_ppm": 900000, "all": 8},
                Job(gpu_ops(*[20] * 8)), []),
    # The first steps have no interval: 4 take 3900, 3900 and 7600, so that the means are
    # 975, 975 and 1900, and 1283 of all.
    "slow-rank": (Job(step_table(100, 800, 100), step_table(100, 804, 96),
                      step_table(100, 1600, 225)),
                  {"gain": 2466.666668, "rank": 2, "ranks": 3,
                   "step_ps": 1900 * US},
                  Job(step_table(100, 800, 100), step_table(100, 900, 100)), []),
    # 50 beside 100 and 150: half of the mean.
    "slow-link": (Job(links(r0_1=100, r1_2=150, r2_0=50, r1_1=9)),
                  {"gain": None, "source": 2, "destination": 0, "mean_ppm": 500000,
                   "bytes_per_second": 50 * 10**6},
                  Job(links(r0_1=100, r1_2=110, r2_0=90, r1_1=9)), []),
    "empty-queue": (Job(device_queue(0, 3, 0, 8, 8)),
                    {"gain": None, "empty": 2, "samples": 5, "empty_ppm": 400000},
                    Job(device_queue(0, 3, 1, 8, 8)), []),
    # 9 of 10 on average.
    "full-queue": (Job(stages(10, 8, 9, 9)), {"gain": None, "use_ppm": 900000, "next": "Batch"},
                   Job(stages(10, 8, 1, 9)), []),
    # 800 in the framework beside 400 of work; a program needs a tenth of that.
    "dispatch-larger-than-work": (eager(4), {"gain": 760, "calls": 100}, eager(12), []),
}
# Those of our own recordings: own.test.
OWN = {"hot-op-far-from-roofline", "memory-bound-chain-not-fused"}


def ask(rule, recording, name, options):
    path = folder / name
    recording.write(path)
    ran = subprocess.run([tool, "advise", path, f"--rule={rule}", "--format=json", *options],
                         capture_output=True, text=True)
    if ran.returncode:
        return {"failed": ran.stderr}
    return json.loads(ran.stdout)


def check(rule):
    true, figures, silent, options = CASES[rule]
    report = ask(rule, true, f"{rule}-true{true.suffix}", options)
    if len(report.get("advice", [])) != 1:
        return f"true: {report}"
    [advice] = report["advice"]
    for name, value in figures.items():
        if name in ("gain", "basis"):
            found, wanted = advice[f"{name}_ps"], value and round(value * US)
        else:
            found, wanted = advice["parameters"].get(name), value
        if found != wanted:
            return f"{name} is {found}, not {wanted}: {advice}"
    report = ask(rule, silent, f"{rule}-silent{silent.suffix}", options)
    return "" if report.get("silent") == [rule] else f"not silent: {report}"


def main():
    listed = ask("idle-gaps", steps(100, 95), "all.json", [])
    assert listed["silent"] == ["idle-gaps"], listed
    info = subprocess.run([tool, "info"], capture_output=True, text=True, check=True).stdout
    known = info.split("Rules (mlir-prof advise):\n")[1].split("\n\n")[0]
    names = {line.split()[0] for line in known.splitlines() if line.startswith("  ")
             and not line.startswith("   ")}
    wrong = sorted(names ^ (set(CASES) | OWN))
    if wrong:
        print(f"without a recording, or unknown: {wrong}")
    for rule in sys.argv[3:] or CASES:
        problem = check(rule)
        wrong += [rule] if problem else []
        print(f"{rule}: {problem or 'true and silent'}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
