# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of the tests that record programs of real frameworks."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import textwrap

from common import ROOT, FrameworkTest, mlir_prof


def find_port():
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


class ControlTest(FrameworkTest):
    def make(self, *frameworks, **options):
        """A capture of these frameworks, since others are imported here, too."""
        capture = mlir_prof.Capture(self.scratch / "runs", listen=False,
                                    frameworks=list(frameworks), **options)
        self.addCleanup(capture.close)
        return capture

    def check_steps(self, analysis, steps, has_backward=True):
        """The phases of the steps add up."""
        rows = list(analysis.step_trace)
        self.assertEqual([row["step"] for row in rows], list(range(steps)))
        for row in rows:
            phases = [row[name] for name in ("interval_ps", "forward_ps",
                                             "backward_ps", "tail_ps")]
            self.assertEqual(phases[2] is not None, has_backward, row)
            self.assertTrue(all(phase is None or phase >= 0 for phase in phases))
            self.assertEqual(sum(phase or 0 for phase in phases), row["total_ps"])

    def count(self, analysis, **wanted):
        """The calls of the ops in op_detail whose cells match."""
        return sum(row["count"] for row in analysis.op_detail
                   if all(re.fullmatch(pattern, str(row[name]))
                          for name, pattern in wanted.items()))

    def get_record(self, capture):
        return json.loads((capture.folder / "capture.json").read_text())

    @contextlib.contextmanager
    def serving(self, *programs):
        """Runs programs that get a port and print a line when they serve there;
        yields the addresses."""
        ports = [find_port() for _ in programs]
        children = [subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(program), str(port)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for program, port in zip(programs, ports)]
        try:
            for child in children:
                self.assertTrue(child.stdout.readline())
            yield [f"grpc://localhost:{port}" for port in ports]
        finally:
            for child in children:
                child.kill()
                child.wait()
                child.stdout.close()

    def run_blocks(self, text):
        """Runs the programs of docs/capturing.md that contain `text`."""
        document = (ROOT / "docs" / "capturing.md").read_text(encoding="utf-8")
        blocks = [block for block in
                  re.findall(r"^```python\n(.*?)^```$", document, re.S | re.M)
                  if text in block]
        self.assertTrue(blocks, text)
        for block in blocks:
            path = self.scratch / "example.py"
            path.write_text(block, encoding="utf-8")
            result = subprocess.run(
                [sys.executable, "-W", "ignore", path], cwd=self.scratch,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env=dict(os.environ, XDG_RUNTIME_DIR=str(self.scratch)))
            self.assertEqual(result.returncode, 0, result.stdout[-3000:])
