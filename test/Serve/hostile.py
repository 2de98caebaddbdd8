#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Requests that mean harm: each has its status, and the service answers the next one.

usage: hostile.py MLIR_PROF PROFILE FOLDER
"""

import json
import os
import pathlib
import signal
import socket
import sys

from service import Service

TOOL, FOLDER = sys.argv[1], pathlib.Path(sys.argv[3])
PROFILE = pathlib.Path(sys.argv[2])


def connect(service, text=b""):
    client = socket.create_connection((service.host, service.port))
    client.sendall(text)
    return client


def count_answers(client):
    """How many answers come until the service closes the connection."""
    client.settimeout(20)
    received = b""
    while more := client.recv(65536):
        received += more
    return received.count(b"HTTP/1.1 ")


def ask_raw(service, text):
    """The status of the answer to bytes; 0 if the connection ends without one."""
    with connect(service, text) as client:
        client.shutdown(socket.SHUT_WR)
        client.settimeout(20)
        try:
            line = client.makefile("rb").readline().split()
        except ConnectionError:
            return 0
    return int(line[1]) if line else 0


def check_access(service, profile):
    health, one = "/api/v1/health", f"/api/v1/profiles/{profile['id']}"
    for host in ("evil.example", "127.0.0.1.evil.example", "10.0.0.1", "", "localhost@evil"):
        for path in (health, "/", one):
            assert service.request("GET", path, headers={"Host": host})[0] == 421, (host, path)
    assert ask_raw(service, b"GET / HTTP/1.1\r\n\r\n") == 421
    for origin in ("http://evil.example", "null", "file://", f"http://{service.host}:1"):
        for method, path in (("POST", "/api/v1/profiles"), ("DELETE", one), ("PATCH", one)):
            assert service.request(method, path, "{}", {"Origin": origin})[0] == 403, (method, origin)
        status, headers, _ = service.request("GET", health, headers={"Origin": origin})
        assert status == 200 and not [name for name in headers if name.startswith("Access-Control")]
    assert service.request("OPTIONS", health)[0] == 405
    for path in ("/api/v1/profiles/..%2f..%2fetc%2fpasswd", "/../../etc/passwd", "/store.sqlite",
                 "/api/v1/../../lock", "//etc/passwd", "/api/v1/profiles/%00", "/nothing",
                 "/api/v1/profiles/store.sqlite", f"{one}%00", one.replace("profiles/", "profiles/..%5c"),
                 f"{one}/modules/..%2f..%2fx", "/api/v1/profiles/%ff"):
        assert service.request("GET", path)[0] in (400, 404), path
        assert service.request("DELETE", path)[0] in (400, 404, 405), path
    assert service.request("PUT", "/api/v1/profiles", "{}")[0] in (404, 405)


def check_messages(service):
    """Requests that are not HTTP, too long, or whose body does not end."""
    host = b"Host: 127.0.0.1\r\n"
    for text in (b"\x16\x03\x01\x02\x00\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                 b"BREW /api/v1/profiles HTTP/1.1\r\n" + host + b"\r\n",
                 b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n" + host + b"\r\n",
                 b"GET /api/v1/health HTTP/1.1\r\n" + host + b"X: a\r\n" * 20000 + b"\r\n"):
        status = ask_raw(service, text)
        assert status == 0 or 400 <= status < 500, (status, text[:40])
    begin = b"POST /api/v1/profiles HTTP/1.1\r\n" + host
    for rest in (b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length: -1\r\n\r\n",
                 b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                 b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc"):
        status = ask_raw(service, begin + rest)
        assert status == 0 or 400 <= status < 500, (status, rest)


def check_names(service):
    """Names are data: in answers, and as the names of files."""
    names = ["<img src=x onerror=alert(1)>", "</script><script>\x1b[31m", "=1+1"]
    trace = json.dumps({"traceEvents": [
        {"name": name, "cat": "cpu_op", "ph": "X", "ts": 10 * i, "dur": 5, "pid": 1, "tid": 1}
        for i, name in enumerate(names)]}).encode()
    # The paths are never opened: the content is given.
    profile = service.upload(pathlib.Path("..\\..\\evil.json"), content=trace, label=names[1])
    path = f"/api/v1/profiles/{profile['id']}"
    for end in ("", "/analyzers/event"):
        status, headers, text = service.request("GET", path + end)
        assert status == 200 and b"\x1b" not in text
        assert headers["Content-Type"] == "application/json"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Content-Security-Policy"] == "default-src 'none'"
    table = json.loads(text)
    column = [each["name"] for each in table["columns"]].index("name")
    assert {row[column] for row in table["rows"]} == set(names)
    assert not list(FOLDER.parent.glob("evil*")) and not list(FOLDER.rglob("evil*"))
    service.ask(f"/profiles/{profile['id']}", method="DELETE")


def check_bodies(service, profile):
    path = f"/profiles/{profile['id']}"
    many = 250000
    # Brackets in a string do not close those around it.
    deep = '{"label":"' + "]" * many + '","x":' + "[" * many + "]" * many + "}"
    assert service.ask(path, 400, "PATCH", deep)["code"] == "bad-body"
    assert service.ask(path, 400, "PATCH", '{"label":')["code"] == "bad-body"
    label = "[" * 40 + '\\" <script>'
    assert service.ask(path, method="PATCH", body={"label": label})["label"] == label
    assert service.request("PATCH", "/api/v1" + path, "x" * (3 << 20))[0] == 413


def check_quarantine(service, profile):
    bad = FOLDER / "bad.mlir"
    bad.write_text("not a module")
    service.upload(PROFILE, 422, model=bad)
    assert service.ask(f"/profiles/{profile['id']}")["state"] == "ready"
    for name, content in (("empty.json", b""), ("junk.xplane.pb", os.urandom(1000)),
                          ("cut.mlprof", PROFILE.read_bytes()[:-100])):
        answer = service.upload(pathlib.Path(name), 422, content=content)
        assert answer["message"], name
    # An empty file leaves nothing to keep.
    kept = service.ask("/profiles")["profiles"]
    assert sorted(one["state"] for one in kept) == ["quarantined"] * 2 + ["ready"], kept
    assert all(one["error"] for one in kept if one["state"] == "quarantined")
    same = service.upload(PROFILE, 200)
    assert same["id"] == profile["id"]


def check_queries(service, profile):
    path = f"/profiles/{profile['id']}"
    for sql in ("DROP TABLE ops", "SELECT 1; SELECT 2", "ATTACH 'x' AS y", "SELECT " + "(" * 5000,
                "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) "
                "SELECT count(*) FROM c"):
        assert service.ask(path + "/query", 400, "POST", {"sql": sql})["message"], sql
    for query in ("limit=-1", "limit=x", "limit=99999999999999999999", "sort=nothing",
                  "filter=nothing%3D1", "group=nothing", "offset=-5"):
        status, _, body = service.request("GET", f"/api/v1{path}/analyzers/op?{query}")
        assert status == 400 and json.loads(body)["message"], query


def check_connections(service):
    inner = b"GET /api/v1/rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    outer = (b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "
             + str(len(inner)).encode() + b"\r\n\r\n" + inner)
    assert count_answers(connect(service, outer)) == 1
    large = b"GET / HTTP/1.1\r\nX: " + b"x" * 100000 + b"\r\n\r\n"
    try:
        assert count_answers(connect(service, large)) <= 1
    except ConnectionError:
        pass
    idle = [connect(service) for _ in range(1100)]
    assert service.ask("/health")
    return idle


def open_uploads(service):
    """Uploads that never go on; others are answered all the same."""
    begin = (b"POST /api/v1/profiles HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
             b"multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n--x")
    clients = [connect(service, begin) for _ in range(6)]
    assert service.ask("/health")
    return clients


with Service(TOOL, FOLDER / "store") as first:
    stored = first.upload(PROFILE)
    check_access(first, stored)
    check_messages(first)
    check_names(first)
    check_bodies(first, stored)
    check_quarantine(first, stored)
    check_queries(first, stored)
    held = check_connections(first) + open_uploads(first)
    # The end of the service does not wait for its clients.
    first.process.send_signal(signal.SIGTERM)
    assert first.process.wait(timeout=30) == 0
for each in held:
    each.close()

with Service(TOOL, FOLDER / "store") as second:
    assert second.ask(f"/profiles/{stored['id']}")["state"] == "ready"
    cut = open_uploads(second)
    second.process.kill()
    second.process.wait()
for each in cut:
    each.close()

with Service(TOOL, FOLDER / "store") as third:
    assert third.ask("/profiles")["total"] == 3
    assert third.ask(f"/profiles/{stored['id']}/analyzers/op")["total"] > 0
