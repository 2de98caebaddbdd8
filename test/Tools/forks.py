# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many runs of a program, with or without Inputs/forks.c, which loads it once."""

import os
import select
import signal
import struct
import subprocess


class Program:
    """Loaded for each run."""

    def __init__(self, path, prepare):
        """`prepare` is called in each process before the program."""
        self.path, self.prepare = path, prepare

    def run(self, arguments, timeout):
        """(exit code, stdout, stderr); raises subprocess.TimeoutExpired."""
        run = subprocess.run([self.path, *arguments], capture_output=True,
                             timeout=timeout, preexec_fn=self.prepare)
        return run.returncode, run.stdout, run.stderr

    def close(self):
        pass


class LoadedProgram:
    """Loaded once; forks for each run. `library` is Inputs/forks.c."""

    def __init__(self, path, prepare, library, folder):
        self.path = path
        self.files = [os.path.join(folder, name) for name in ("stdout", "stderr")]
        requests, self.requests = os.pipe()
        self.answers, answers = os.pipe()
        self.process = subprocess.Popen(
            [path], preexec_fn=prepare, pass_fds=(requests, answers),
            env=dict(os.environ, LD_PRELOAD=library, FORKS=f"{requests} {answers}"))
        os.close(requests)
        os.close(answers)

    def read_number(self):
        data = os.read(self.answers, 4)
        if len(data) < 4:
            raise OSError("the program does not answer")
        return struct.unpack("i", data)[0]

    def run(self, arguments, timeout):
        """As Program.run."""
        request = b"".join(os.fsencode(text) + b"\0"
                           for text in (*self.files, self.path, *arguments))
        os.write(self.requests, struct.pack("I", len(request)) + request)
        child = self.read_number()
        if not select.select([self.answers], [], [], timeout)[0]:
            os.kill(child, signal.SIGKILL)
            self.read_number()
            raise subprocess.TimeoutExpired(arguments, timeout)
        code = os.waitstatus_to_exitcode(self.read_number())
        outputs = []
        for path in self.files:
            with open(path, "rb") as file:
                outputs.append(file.read())
        return code, *outputs

    def close(self):
        """Ends the program."""
        os.close(self.requests)
        self.process.wait()
