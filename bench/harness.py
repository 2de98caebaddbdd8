# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of the benchmarks: alternating rounds, child processes, tables.

Contestants take turns within each round, so that a machine whose speed drifts
slows all of them. Only ratios of one run are worth quoting.
"""

import contextlib
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time

# Interval of reading a child's memory.
POLL_SECONDS = 0.001


def pin(cpu):
    """Binds this process, and so all children, to one processor."""
    os.sched_setaffinity(0, {cpu})


def run(command, out=subprocess.DEVNULL):
    """Wall-clock seconds of a command; a failure ends the benchmark."""
    begin = time.perf_counter()
    result = subprocess.run(command, stdout=out, stderr=subprocess.PIPE,
                            encoding="utf-8")
    seconds = time.perf_counter() - begin
    if result.returncode:
        sys.exit(f"{command[0]} failed: {result.stderr.strip()}")
    return seconds, result.stdout


def rss(pid):
    """(VmHWM, RssAnon) of a process in bytes, or None if it has ended."""
    values = {}
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name in ("VmHWM", "RssAnon"):
                    values[name] = int(value.split()[0]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        return None
    return (values["VmHWM"], values["RssAnon"]) if len(values) == 2 else None


def memory():
    """This process's peak of resident memory in bytes, and the part of its
    present one that is its own allocations."""
    peak, anonymous = rss("self")
    return dict(peak=peak, anonymous=anonymous)


def peak_memory(command):
    """Peak resident bytes of a command, in a separate run.

    `max_rss` is all of it as the kernel accounts for it (getrusage), pages of
    mapped files and of shared libraries included. `anonymous` is the peak of
    RssAnon, the program's own allocations, polled every millisecond; shorter
    peaks are missed.
    """
    anonymous = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                child.returncode = os.waitstatus_to_exitcode(status)
                break
            seen = rss(child.pid)
            if seen:
                anonymous = max(anonymous, seen[1])
            time.sleep(POLL_SECONDS)
    return dict(max_rss=usage.ru_maxrss * 1024, anonymous=anonymous)


def alternate(contestants, rounds):
    """Calls each of {name: function} once per round: {name: [seconds]}.

    The first round warms up caches and is not counted.
    """
    seconds = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name, contestant in contestants.items():
            measured = contestant()
            if number:
                seconds[name].append(measured)
    return seconds


def take_turns(contestants, rounds, seed):
    """Like alternate, in an order that `seed` shuffles for each round."""
    measured = {name: [] for name in contestants}
    shuffle = random.Random(seed).shuffle
    for number in range(rounds + 1):
        order = list(contestants)
        shuffle(order)
        for name in order:
            result = contestants[name]()
            if number:
                measured[name].append(result)
    return measured


@contextlib.contextmanager
def busy(count):
    """Keeps `count` processors busy with other processes meanwhile."""
    loop = [sys.executable, "-c", "while True: pass"]
    children = [subprocess.Popen(loop) for _ in range(count)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()


def quantile(values, part):
    """Interpolated, so that .5 is the median."""
    order = sorted(values)
    place = part * (len(order) - 1)
    low = int(place)
    high = min(low + 1, len(order) - 1)
    return order[low] + (order[high] - order[low]) * (place - low)


def spread(values):
    return dict(min=min(values), median=statistics.median(values),
                max=max(values))


def ratios(above, below):
    """Spread of above/below, round by round."""
    return spread([a / b for a, b in zip(above, below)])


def format_spread(values, digits=1):
    return " / ".join(f"{values[key]:.{digits}f}"
                      for key in ("min", "median", "max"))


def print_table(header, rows):
    """Aligned columns: the first one left, others right."""
    table = [header, *rows]
    widths = [max(len(str(row[i])) for row in table)
              for i in range(len(header))]
    for row in table:
        cells = [str(row[0]).ljust(widths[0])]
        cells += [str(cell).rjust(width)
                  for cell, width in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip())


def print_speeds(size, seconds):
    """Seconds of each contestant, and its throughput for `size` bytes."""
    print_table(["min / median / max", "seconds", "MB/s"], [
        [name, format_spread(spread(values), 3),
         format_spread(spread([size / 1e6 / value for value in values]))]
        for name, values in seconds.items()])


def machine():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file
                 if line.startswith("model name")]
    return dict(cpu=names[0] if names else platform.machine(),
                threads=os.cpu_count(), os=platform.system(),
                python=platform.python_version())


def write_json(path, results):
    with open(path, "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
