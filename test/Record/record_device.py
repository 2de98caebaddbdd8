"""Records a model on a driver without a device, and checks what the profile says.

usage: record_device.py TOOL RUNNER DRIVER MODEL FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys

TOOL, RUNNER, DRIVER, MODEL, FOLDER = sys.argv[1:]
FOLDER = pathlib.Path(FOLDER)
EVENT_PS = 500000


def run(*command, code=0, **environment):
    """What a command printed, which must end with `code`."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={**os.environ, "MLIR_PROF_LIBCUDA": DRIVER,
                               "MLIR_PROF_LIBCUPTI": "/nowhere", **environment})
    if done.returncode != code:
        sys.exit(f"{command}: exit code {done.returncode}, not {code}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(condition, what):
    """Fails with `what`."""
    if not condition:
        sys.exit(str(what))


def get_rows(profile, level):
    """The ops of a report with their times, and the coverage."""
    report = json.loads(run(TOOL, "report", profile, f"--level={level}", "--all",
                            "--format=json"))
    return report["rows"], report["coverage"]


def get_launched_ps(times):
    """The time of all launches without their events, by step."""
    document = json.loads(times.read_text())
    timed = [each["step_ps"] for each in document["iterations"] if "step_ps" in each]
    expect(timed, "timed iterations")
    return [sum(step) - EVENT_PS * len(step) for step in zip(*timed)]


def check_times(profile, times):
    """Every launch reaches ops: their times add up to those of the launches."""
    launched = sum(get_launched_ps(times))
    for level in ("input", "dispatch", "llvm"):
        rows, coverage = get_rows(profile, level)
        own = sum(row["total_ps"] for row in rows if row.get("total_ps"))
        expect(coverage["op_time_ps"] == launched, (level, coverage, launched))
        expect(own == launched, (level, own, launched))
    rows, _ = get_rows(profile, "input")
    names = {row["location"] for row in rows if row.get("total_ps")}
    expect({"sum", "square", "rows"} <= names, names)


def check_roofline(profile, times):
    """Ops are compared with the rates of the device, which the run has."""
    peak = json.loads(times.read_text())["peak"]
    report = json.loads(run(TOOL, "report", profile, "--by=roofline", "--all",
                            "--format=json"))
    known = [row for row in report["rows"] if row.get("attainable_ppm")]
    expect(known, report)
    for row in known:
        seconds = row["iteration_ps"] / 1e12
        least = max(row["flops"] / peak["flops_per_second"],
                    row["bytes"] / peak["bytes_per_second"])
        expect(abs(row["attainable_ppm"] - 1e6 * least / seconds) <= 1, (row, peak))


def check_other_machine():
    """Compiled here, run by mlir-prof-gpu, and recorded from its times."""
    program, times = FOLDER / "model.gpu", FOLDER / "times.json"
    text = run(TOOL, "compile", MODEL, "--device=cuda", "--device-target=sm_90", "-o",
               program)
    expect("argument arg0: 32x48xf32" in text or "argument x: 32x48xf32" in text, text)
    expect("target: sm_90" in run(RUNNER, program, "--list"), "target")
    run(RUNNER, program, "--iterations=20", f"--times={times}")
    profile = FOLDER / "other.mlprof"
    run(TOOL, "record", program, f"--device-run={times}", "-o", profile)
    check_times(profile, times)
    # This machine's driver is not needed, and another program's times do not fit.
    run(TOOL, "record", program, f"--device-run={times}", "-o", profile,
        MLIR_PROF_LIBCUDA="/nowhere")
    other = FOLDER / "other.gpu"
    run(TOOL, "compile", MODEL, "--device=cuda", "-o", other)
    text = run(TOOL, "record", other, f"--device-run={times}", "-o", profile, code=1)
    expect("is a run of another program" in text, text)


def check_here():
    """Compiled and run in one go, for the device that is there."""
    profile, times = FOLDER / "here.mlprof", FOLDER / "here.json"
    text = run(TOOL, "record", MODEL, "--device=cuda", "--iterations=20",
               f"--times={times}", "-o", profile, f"--save-results={FOLDER / 'results'}")
    expect("20 iterations on Fake GPU" in text, text)
    expect("the inside of kernels is not sampled: libcupti.so: cannot be loaded" in text,
           text)
    expect(json.loads(times.read_text())["target"] == "sm_90a", "target")
    check_times(profile, times)
    check_roofline(profile, times)
    expect(len(list((FOLDER / "results").iterdir())) == 2, "results")


def check_errors():
    """Options that contradict each other, and a missing driver."""
    output = ("-o", FOLDER / "bad.mlprof")
    text = run(TOOL, "record", MODEL, "--device=cuda", *output, code=1,
               MLIR_PROF_LIBCUDA="/nowhere/libcuda.so.1")
    expect("/nowhere/libcuda.so.1: NVIDIA's driver cannot be loaded" in text
           and "hint: A machine with an NVIDIA GPU" in text, text)
    text = run(TOOL, "record", MODEL, "--device=cuda", *output, code=1,
               FAKE_CUDA_FAIL="cuInit:100")
    expect("does not have a device that the driver can use" in text, text)
    for options in (["--device=gpu"], ["--device=cpu:1"], ["--device-target=sm_90"],
                    ["--device=cuda", "--threads=1"], ["--device=cuda", "--rate=10"],
                    ["--device=cuda", "--mode=instrument"],
                    ["--device=cuda", "--device-target=sm_1"]):
        run(TOOL, "record", MODEL, *options, *output, code=2)
    expect(not (FOLDER / "bad.mlprof").exists(), "an output in spite of an error")


check_other_machine()
check_here()
check_errors()
