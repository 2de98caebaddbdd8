"""Runs programs with the driver of FakeCuda.c, whose times are computed here again.

usage: run_programs.py TOOL DRIVER FOLDER   FOLDER has what device_program.py wrote
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "lib"))
from json_schema import Schema  # noqa: E402

SCHEMA = ROOT / "docs" / "schemas" / "launches.json"
TOOL, DRIVER, FOLDER = sys.argv[1:]
FOLDER = pathlib.Path(FOLDER)
# As FakeCuda.c has them, in ns.
LAUNCH, WORKGROUP, EVENT = 2000, 3, 500
PROCESSORS, COPY_BYTES_PER_NS = 4, 8
ROWS, COLUMNS, THREADS = 64, 300, 128


def run(program, *options, code=0, **environment):
    """What the tool printed, which must end with `code`."""
    names = {f"FAKE_CUDA_{name.upper()}": value for name, value in environment.items()}
    done = subprocess.run(
        [TOOL, FOLDER / program if program else "--help", *options],
        env={**os.environ, "MLIR_PROF_LIBCUDA": DRIVER, **names}, capture_output=True,
        text=True)
    if done.returncode != code:
        sys.exit(f"{program} {options} {environment}: exit code {done.returncode}, not "
                 f"{code}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(condition, text):
    """Fails with `text`."""
    if not condition:
        sys.exit(text)


def check_times(replay):
    """The times of each step are those of the driver's rule."""
    path = FOLDER / "times.json"
    run("handmade.gpu", f"--replay={replay}", "--iterations=50", f"--times={path}",
        f"--save-results={FOLDER / 'results'}")
    run_ = json.loads(path.read_text())
    wrong = Schema(json.loads(SCHEMA.read_text())).find_error(run_)
    expect(not wrong, wrong)
    scale = LAUNCH + WORKGROUP * -(-ROWS * COLUMNS // THREADS)
    row_sum = LAUNCH + WORKGROUP * ROWS
    copy = ROWS * COLUMNS * 4 // 8
    steps = [1000 * (time + EVENT) for time in (scale, row_sum, copy)]
    expect([step["median_ps"] for step in run_["steps"]] == steps, run_["steps"])
    expect(run_["plain_median_ps"] == sum(steps) - 2 * 1000 * EVENT, "plain iterations")
    expect(run_["timed_median_ps"] == sum(steps), "timed iterations")
    expect(run_["event_ps"] == 1000 * EVENT, "events")
    expect(run_["count"] == 50 == len(run_["iterations"]), "iterations")
    timed = [each for each in run_["iterations"] if "step_ps" in each]
    expect(timed and all(each["step_ps"] == steps for each in timed), "timed")
    sizes = {each["name"]: each["bytes"] for each in run_["transfers"]}
    expect(sizes == {"constants": 4 * COLUMNS, "arguments": 4 * ROWS * COLUMNS,
                     "results": 4 * ROWS * COLUMNS + 4 * ROWS}, sizes)
    expect(run_["overhead_ppm"] <= 50000, "overhead")


def check_peak():
    """The rates of the device are the driver's, with one event in an interval."""
    path = FOLDER / "times.json"
    text = run("handmade.gpu", "--iterations=2", f"--times={path}")
    workgroups = 8 * PROCESSORS
    # Eight chains of four multiplications and additions.
    operations = 2 * 8 * 4 * 4096 * 256 * workgroups
    taken = LAUNCH + WORKGROUP * workgroups + EVENT
    size = 256 << 20
    copied = size // COPY_BYTES_PER_NS + EVENT
    peak = json.loads(path.read_text())["peak"]
    # The driver's times are numbers of f32.
    for name, rate in (("flops_per_second", operations / (taken / 1e9)),
                       ("bytes_per_second", 2 * size / (copied / 1e9))):
        expect(abs(peak[name] / rate - 1) < 1e-6, (name, peak, rate))
    expect("peak of the device: " in text, text)
    text = run("handmade.gpu", "--iterations=2", "--no-peak", f"--times={path}")
    expect("peak" not in text and "peak" not in json.loads(path.read_text()), text)
    # The times are kept if it cannot be measured.
    calls = FOLDER / "calls.txt"
    calls.unlink(missing_ok=True)
    run("handmade.gpu", "--iterations=2", log=str(calls))
    last = calls.read_text().split().count("cuMemAlloc_v2")
    text = run("handmade.gpu", "--iterations=2", f"--times={path}",
               fail=f"cuMemAlloc_v2#{last}:2")
    expect("the peak of the device is not known: the peak of the device of 268435456 "
           "bytes: the device does not have enough free memory" in text, text)
    expect("peak" not in json.loads(path.read_text()), "no peak")


def check_results():
    """A copy of an argument is right, and sums that nobody computed are wrong."""
    run("handmade.gpu", "--iterations=2", f"--input={FOLDER / 'x.npy'}",
        f"--save-results={FOLDER / 'results'}")
    expect((FOLDER / "results" / "same.npy").read_bytes()[-76800:]
           == (FOLDER / "x.npy").read_bytes()[-76800:], "the copy of x")
    text = run("handmade.gpu", "--iterations=2", f"--compare={FOLDER / 'sums.npy'}",
               f"--input={FOLDER / 'x.npy'}", code=3)
    expect("64 of 64 differ" in text, text)


def check_errors():
    """Each error says what, where and what to do."""
    cases = [
        ("no-entry.gpu", {}, "kernel 'other': the code does not have that symbol"),
        ("no-assembly.gpu", {}, "ptxas fatal: Missing .version directive\n  hint: "),
        ("huge.gpu", {}, "the arena of 8796093022208 bytes: the device does not have "
                         "enough free memory"),
        ("newer-device.gpu", {}, "has the compute capability 9.0, and the program is for "
                                 "sm_999\n  hint: Compile the model with "
                                 "--device-target=sm_90."),
        ("other-device.gpu", {}, "and the program is for sm_70a"),
        ("handmade.gpu", {"capability": "75"}, "has the compute capability 7.5"),
        ("next-version.gpu", {}, "has version 2 of the format"),
        ("x.npy", {}, "is not a program for a device\n  hint: "),
        ("handmade.gpu", {"fail": "cuInit:100"},
         "the machine does not have a device that the driver can use"),
        ("handmade.gpu", {"fail": "cuInit:803"}, "Restart the machine"),
        ("handmade.gpu", {"fail": "cuMemAlloc_v2#3:2"}, "result 'same' of 76800 bytes: "
         "the device does not have enough free memory"),
        ("handmade.gpu", {"fail": "cuModuleLoadDataEx:222"},
         "kernel 'scale': the kernel's assembly is newer than the driver"),
        # Constants, arguments, and one for each step of the first run.
        ("handmade.gpu", {"fail": "cuStreamSynchronize#4:715"},
         "kernel 'row_sum' (step 1): a kernel executed an instruction that the device "
         "does not have, or a trap"),
        ("handmade.gpu", {"fail": "cuStreamBeginCapture_v2:801"},
         "graph: the driver does not support the call"),
    ]
    for program, environment, expected in cases:
        text = run(program, "--iterations=2", code=1, **environment)
        expect(expected in text and "error: " in text,
               f"{program} {environment}: {expected!r} is not in\n{text}")
    for option in ("--device=x", "--nonsense=1", "--replay=never", "--seconds=-1",
                   "another.gpu"):
        run("handmade.gpu", option, code=2)
    run("handmade.gpu", "--compare=a", "--compare=b", "--compare=c", code=2)
    expect("1 devices" in run("handmade.gpu", "--device=1", code=1), "device 1")


def check_missing_driver():
    """Without a driver."""
    done = subprocess.run([TOOL, FOLDER / "handmade.gpu"], capture_output=True, text=True,
                          env={**os.environ, "MLIR_PROF_LIBCUDA": "/nowhere/libcuda.so.1"})
    expect(done.returncode == 1 and "/nowhere/libcuda.so.1: NVIDIA's driver cannot be "
           "loaded" in done.stderr and "hint: A machine with an NVIDIA GPU" in done.stderr,
           done.stderr)


def main():
    """All checks."""
    expect("--replay=graph|stream" in run(""), "help")
    listed = run("handmade.gpu", "--list")
    expect("launch row_sum: grid 64x1x1, block 128x1x1, 512 bytes of dynamic shared memory"
           in listed and "argument x: 64x300xf32" in listed, listed)
    # A newer minor version is read.
    run("next-minor.gpu", "--list")
    for replay in ("graph", "stream"):
        check_times(replay)
    check_peak()
    check_results()
    check_errors()
    check_missing_driver()


if __name__ == "__main__":
    main()
