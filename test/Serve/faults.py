#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The store survives the end of the service at any time, a full disk and two uploads of
one file; the service does not keep single events in memory.

usage: faults.py MLIR_PROF RECORDING FOLDER
"""

import concurrent.futures
import json
import pathlib
import signal
import socket
import subprocess
import sys
import time

from service import Service

TOOL, RECORDING, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
MB = 1 << 20


def make_form(path):
    """An upload of `path`, as the bytes of a whole request."""
    body = (b'--b\r\nContent-Disposition: form-data; name="file"; filename="'
            + path.name.encode() + b'"\r\n\r\n' + path.read_bytes() + b"\r\n--b--\r\n")
    return (b"POST /api/v1/profiles HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: multipart/form-data; boundary=b\r\n"
            b"Content-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body)


def list_files(store, name):
    return sorted(path.name for path in (store / name).iterdir())


def check_store(store, most):
    """The store opens, and holds whole profiles alone."""
    with Service(TOOL, store) as service:
        profiles = service.ask("/profiles")["profiles"]
        assert len(profiles) <= most, profiles
        for profile in profiles:
            assert profile["state"] == "ready", profile
            assert service.ask(f"/profiles/{profile['id']}/analyzers/event")["rows"]
        expected = sorted(f"{profile['id']}.{kind}" for profile in profiles
                          for kind in ("mlprof", "timeline"))
        assert list_files(store, "objects") == expected, list_files(store, "objects")
        assert not list_files(store, "incoming")
        assert not list_files(store, "quarantine")
    return len(profiles)


def kill_at(store, request, part, seconds):
    """Ends the service `seconds` after a part of an upload was sent."""
    with Service(TOOL, store) as service:
        with socket.create_connection((service.host, service.port)) as client:
            client.sendall(request[:int(len(request) * part)])
            time.sleep(seconds)
            service.process.send_signal(signal.SIGKILL)
            service.process.wait()


def check_kills():
    store = FOLDER / "killed"
    request = make_form(RECORDING)
    with Service(TOOL, store) as service:
        begin = time.monotonic()
        service.upload(RECORDING)
        whole = time.monotonic() - begin
        profile = service.ask("/profiles")["profiles"][0]["id"]
        service.ask(f"/profiles/{profile}", method="DELETE")
    kill_at(store, request, 0.5, 0.1)
    assert check_store(store, 1) == 0
    for step in range(12):
        kill_at(store, request, 1, whole * step / 10)
        check_store(store, 1)
    with Service(TOOL, store) as service:
        service.upload(RECORDING, None)
    assert check_store(store, 1) == 1


def check_twins():
    store = FOLDER / "twins"
    with Service(TOOL, store) as service:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(
                lambda label: service.upload(RECORDING, None, label=label), ("first", "second")))
        assert answers[0]["id"] == answers[1]["id"]
        # Both are told the label of the one that came first.
        assert answers[0]["label"] == answers[1]["label"], answers
    assert check_store(store, 1) == 1


def check_full_disk():
    """A limit on the size of files stands for a disk that is full."""
    store = FOLDER / "full"
    large = FOLDER / "large.json"
    large.write_text('{"traceEvents":[' + ",".join(
        f'{{"ph":"X","pid":1,"tid":1,"name":"op{i}","ts":{10 * i},"dur":{1 + i % 7}}}'
        for i in range(40000)) + "]}")
    # The upload fits, but not the timeline of its events.
    fits = large.stat().st_size + 100000
    for limit in (large.stat().st_size // 2, fits):
        limited = FOLDER / "limited"
        limited.write_text(f"#!/bin/bash\nulimit -f {limit // 1024}\nexec {TOOL} \"$@\"\n")
        limited.chmod(0o755)
        with Service(limited, store) as service:
            error = service.upload(large, 507)
            assert error["code"] == "disk-full", error
            assert service.ask("/profiles")["profiles"] == []
        assert check_store(store, 0) == 0
    with Service(TOOL, store) as service:
        service.upload(large)


def check_full_tmpfs():
    """A disk that is full: an upload that does not fit leaves nothing, and what the store
    holds can be read, and deleted to make space."""
    mount = "mount -t tmpfs -o size={} tmpfs "
    probe = ["unshare", "-rm", "sh", "-c", mount.format("1m") + str(FOLDER)]
    if subprocess.run(probe, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("a user may not mount a file system here: not tried")
        return
    large = write_trace(40000)
    folder = FOLDER / "disk"
    folder.mkdir()
    # The upload fits, but not the timeline of its events; and the upload does not.
    for size in (large.stat().st_size + 500000, large.stat().st_size // 2):
        script = FOLDER / "in-tmpfs"
        script.write_text("#!/bin/sh\nexec unshare -rm sh -c '" + mount.format(size)
                          + f'{folder} && exec "$0" "$@"\' {TOOL} "$@"\n')
        script.chmod(0o755)
        with Service(script, folder / "store") as service:
            kept = service.upload(RECORDING)
            assert service.upload(large, 507)["code"] == "disk-full"
            profiles = service.ask("/profiles")["profiles"]
            assert [profile["id"] for profile in profiles] == [kept["id"]], profiles
            assert service.ask(f"/profiles/{kept['id']}/analyzers/event")["rows"]
            # Seen by the process alone.
            inside = pathlib.Path(f"/proc/{service.process.pid}/root{folder}/store")
            assert not list_files(inside, "incoming") and not list_files(inside, "quarantine")
            (inside / "fill").write_bytes(b"")
            with open(inside / "fill", "wb", buffering=0) as file:
                try:
                    while file.write(bytes(4096)):
                        pass
                except OSError:
                    pass
            error = service.upload(RECORDING, 507, label="more")
            assert error["code"] == "disk-full", error
            service.ask(f"/profiles/{kept['id']}", method="DELETE")
            assert service.ask("/profiles")["profiles"] == []
            (inside / "fill").unlink()
            assert service.upload(RECORDING)["id"] == kept["id"]


def check_touched():
    """Files that were copied or touched keep their labels."""
    store = FOLDER / "touched"
    with Service(TOOL, store) as service:
        profile = service.upload(RECORDING, label="mine")
    path = store / "objects" / f"{profile['id']}.mlprof"
    path.touch()
    with Service(TOOL, store) as service:
        assert service.ask(f"/profiles/{profile['id']}")["label"] == "mine"


def own_bytes(service):
    """Memory of the service, without pages of files."""
    status = pathlib.Path(f"/proc/{service.process.pid}/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0]) * 1024


def write_trace(count):
    """A trace of `count` events."""
    trace = FOLDER / f"{count}.json"
    with open(trace, "w", encoding="ascii") as file:
        file.write('{"traceEvents":[' + ",".join(
            f'{{"ph":"X","pid":1,"tid":1,"name":"op{i % 50}","ts":{10 * i},"dur":{1 + i % 7}}}'
            for i in range(count)) + "]}")
    return trace


def check_memory():
    """A million events stay in their file."""
    trace = write_trace(1000000)
    with Service(TOOL, FOLDER / "million") as service:
        profile = f"/profiles/{service.upload(trace)['id']}"
        service.ask(profile)
        window = service.ask(profile + "/timeline")
        middle = (int(window["begin_ps"]) + int(window["end_ps"])) // 2
        service.ask(profile + "/timeline", begin_ps=middle, end_ps=middle + 10**9)
        assert service.ask(profile + "/timeline/events/999999")["id"] == 999999
        counts = service.ask(profile + "/analyzers/event")["matched"]
        assert counts == 50, counts
        assert own_bytes(service) < 60 * MB, own_bytes(service)
        # A query of events loads them, and frees them again. Fewer, as its time is limited.
        fewer = service.upload(write_trace(100000))["id"]
        rows = service.ask(f"/profiles/{fewer}/query", method="POST",
                           body={"sql": "SELECT count(*), sum(duration_ps) FROM events"})["rows"]
        assert rows == [[100000, sum(1 + i % 7 for i in range(100000)) * 10**6]], rows
        assert own_bytes(service) < 60 * MB, own_bytes(service)


def check_steps():
    """A table of single events equals the tool's report."""
    with Service(TOOL, FOLDER / "steps") as service:
        profile = service.upload(RECORDING)["id"]
        served = service.ask(f"/profiles/{profile}/analyzers/step-trace", limit=1000)
        again = service.ask(f"/profiles/{profile}/analyzers/step-trace", limit=1000)
    out = subprocess.run(
        [TOOL, "report", FOLDER / "steps" / "objects" / f"{profile}.mlprof", "--by=step-trace",
         "--format=json"], check=True, stdout=subprocess.PIPE).stdout
    report = json.loads(out)
    names = [column["name"] for column in served["columns"]]
    assert served["rows"] and served == again
    rows = [dict(zip(names, row)) for row in served["rows"]]
    assert len(rows) == len(report["rows"])
    for row, expected in zip(rows, report["rows"]):
        assert {name: row[name] for name in expected} == expected, (row, expected)


def check_query_time():
    with Service(TOOL, FOLDER / "steps") as service:
        profile = service.ask("/profiles")["profiles"][0]["id"]
        endless = ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                   "SELECT max(x) FROM c")
        error = service.ask(f"/profiles/{profile}/query", 400, "POST", {"sql": endless})
        assert "longer than 5 s" in error["message"], error
        many = ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) "
                "SELECT x FROM c")
        answer = service.ask(f"/profiles/{profile}/query", method="POST", body={"sql": many})
        assert (len(answer["rows"]), answer["matched"]) == (10000, 20000)


def main():
    check_twins()
    check_touched()
    check_steps()
    check_query_time()
    check_full_disk()
    check_full_tmpfs()
    check_memory()
    check_kills()
    missing = subprocess.run([TOOL, "serve", FOLDER / "no" / "store"], stderr=subprocess.PIPE,
                             encoding="utf-8", check=False)
    assert missing.returncode != 0 and "hint" in missing.stderr, missing.stderr


main()
