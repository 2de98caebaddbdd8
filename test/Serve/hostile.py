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


def check_access(service):
    assert service.request("GET", "/api/v1/health", headers={"Host": "evil.example"})[0] == 421
    assert service.request("POST", "/api/v1/profiles", "{}",
                           {"Origin": "http://evil.example"})[0] == 403
    for path in ("/api/v1/profiles/..%2f..%2fetc%2fpasswd", "/../../etc/passwd",
                 "/api/v1/profiles/%00", "/nothing"):
        assert service.request("GET", path)[0] in (400, 404), path
    assert service.request("PUT", "/api/v1/profiles", "{}")[0] in (404, 405)


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
    check_access(first)
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
