# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Throughput: the time that steps take, and the part of it that reading data
takes."""

from __future__ import annotations

import math
import numbers
import time
import typing

#: Steps that a summary leaves out, where there are more: caches are cold.
SKIPPED = 10


def check_samples(count):
    """Raises an error unless it is a number of samples, or None."""
    if count is None:
        return
    if not isinstance(count, numbers.Real):
        raise TypeError(f"num_samples is a number or None, not {count!r}")
    if not 0 <= count < math.inf:
        raise ValueError(f"num_samples is {count!r}; it is a number from 0")


class _Series:
    """Durations in ns."""

    def __init__(self):
        self.count = self.total = 0
        self.least = self.most = None

    def add(self, value):
        self.count += 1
        self.total += value
        self.least = value if self.least is None else min(self.least, value)
        self.most = value if self.most is None else max(self.most, value)

    def average(self):
        return self.total / self.count if self.count else 0.0


class _Sums:
    """Sums over steps: time of steps and of reading, and rates."""

    def __init__(self):
        self.reader, self.batch, self.rate = _Series(), _Series(), _Series()
        self.samples = 0

    def add(self, reader, batch, samples):
        self.reader.add(reader)
        self.batch.add(batch)
        self.samples += 1 if samples is None else samples
        if batch:
            self.rate.add((1 if samples is None else samples) * 1e9 / batch)

    def get_rate(self):
        """Samples, or steps, by second: all of them by all the time."""
        return self.samples * 1e9 / self.batch.total if self.batch.total else 0.0


class _Level:
    """Measurement of one loop over data; that of an evaluation inside of a
    training is another one."""

    def __init__(self):
        self.since, self.all, self.later = _Sums(), _Sums(), _Sums()
        self.begin = self.step_begin = time.perf_counter_ns()
        self.reader = self.paused = 0
        self.has_samples = False
        #: The data that are being read.
        self.loop = None


class Timer:
    """Times steps. A loop over data inside of a step is timed apart, and its
    time does not belong to the step."""

    def __init__(self):
        self._levels = []
        self._last = None

    def begin(self):
        self._levels.append(_Level())

    def end(self):
        if not self._levels:
            return
        self._last = self._levels.pop()
        if self._levels:
            self._levels[-1].paused += time.perf_counter_ns() - self._last.begin

    def begin_loop(self, loop):
        """A loop over data begins, perhaps inside of another one."""
        if not self._levels:
            return
        if self._levels[-1].loop is not None:
            self.begin()
        self._levels[-1].loop = loop

    def end_loop(self, loop):
        if not self._levels or self._levels[-1].loop is not loop:
            return
        self._levels[-1].loop = None
        if len(self._levels) > 1:
            self.end()

    def add_reading(self, duration_ns):
        """Reading of data within the present step."""
        if self._levels:
            self._levels[-1].reader += duration_ns

    def step(self, num_samples=None):
        """The present step ends."""
        if not self._levels:
            return
        level = self._levels[-1]
        now = time.perf_counter_ns()
        batch = max(now - level.step_begin - level.paused, 0)
        level.has_samples |= num_samples is not None
        for sums in (level.since, level.all):
            sums.add(level.reader, batch, num_samples)
        if level.all.batch.count > SKIPPED:
            level.later.add(level.reader, batch, num_samples)
        level.step_begin = now
        level.reader = level.paused = 0

    def _get_level(self):
        return self._levels[-1] if self._levels else self._last

    def step_info(self, unit=None):
        """Averages since the last call: ` reader_cost: 0.00010 s batch_cost:
        0.00200 s ips: 500.000 samples/s`."""
        level = self._get_level()
        if not level or not level.since.batch.count:
            return ""
        sums, level.since = level.since, _Sums()
        what = (unit or "samples") if level.has_samples else "steps"
        return (f" reader_cost: {sums.reader.average() / 1e9:.5f} s"
                f" batch_cost: {sums.batch.average() / 1e9:.5f} s"
                f" ips: {sums.get_rate():.3f} {what}/s")

    def get_averages(self):
        """Seconds of reading and of a step, and steps or samples by second, in
        all steps."""
        level = self._get_level()
        sums = level.all if level else _Sums()
        return (sums.reader.average() / 1e9, sums.batch.average() / 1e9,
                sums.get_rate())

    def summary(self):
        """A table of averages, maxima and minima, without the first steps if
        there are more."""
        level = self._get_level()
        if not level or not level.all.batch.count:
            return ""
        sums = level.later if level.later.batch.count else level.all
        total = sums.batch.total
        ratio = 100 * sums.reader.total / total if total else 0.0
        unit = "samples/s" if level.has_samples else "steps/s"
        rows = [("", "avg", "max", "min")]
        for name, series in (("reader_cost", sums.reader),
                             ("batch_cost", sums.batch)):
            rows.append((name, *(f"{value / 1e9:.5f}" for value in (
                series.average(), series.most, series.least))))
        rates = sums.rate
        rows.append(("ips", *(f"{value:.5f}" for value in (
            sums.get_rate(), rates.most or 0.0, rates.least or 0.0))))
        lines = [f"{'Perf Summary':=^100}", f"Reader Ratio: {ratio:.3f}%",
                 f"Time Unit: s, IPS Unit: {unit}"]
        lines += ["|" + "|".join(f"{cell:^17}" for cell in row) + "|"
                  for row in rows]
        return "\n".join(lines) + "\n"
