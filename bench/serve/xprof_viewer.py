# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""XProf's trace viewer on one file: starts its server as a user does, and asks
for what its page asks first.

    xprof_viewer.py XPROF TRACE.xplane.pb    prints seconds and bytes as JSON
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from client import read_memory

RUN = "run"
MOST_SECONDS = 600


def find_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def list_children(pid):
    """The process and all that it started."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = [int(child) for child in file.read().split()]
    return [pid] + [each for child in children for each in list_children(child)]


def wait_for(address, end):
    while True:
        try:
            with urllib.request.urlopen(address, timeout=MOST_SECONDS) as answer:
                return answer.read()
        except (OSError, urllib.error.URLError):
            if time.time() > end:
                raise
            time.sleep(0.1)


def measure(xprof, trace):
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "plugins", "profile", RUN)
        os.makedirs(place)
        shutil.copy(trace, os.path.join(place, "host.xplane.pb"))
        port = find_port()
        server = subprocess.Popen(
            [xprof, f"--logdir={folder}", f"--port={port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            base = f"http://127.0.0.1:{port}/data/plugin/profile/"
            wait_for(base + "runs", time.time() + MOST_SECONDS)
            begin = time.perf_counter()
            query = urllib.parse.urlencode(
                {"run": RUN, "tag": "trace_viewer@", "host": "host"})
            body = wait_for(base + "data?" + query, time.time() + MOST_SECONDS)
            seconds = time.perf_counter() - begin
            peak = sum(read_memory(pid)["VmHWM"]
                       for pid in list_children(server.pid))
            return {"seconds": seconds, "peak": peak, "answer": len(body)}
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
