# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A service and its clients: single requests, and many at a fixed rate."""

import collections
import contextlib
import http.client
import json
import os
import random
import selectors
import signal
import socket
import subprocess
import time
import urllib.parse


def read_memory(pid):
    """Peak and present resident bytes of a process, and its own allocations
    (without pages of files)."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        values = dict(line.split(":", 1) for line in file)
    return {name: int(values[name].split()[0]) * 1024
            for name in ("VmHWM", "VmRSS", "RssAnon")}


class Service:
    """`mlir-prof serve` on a folder."""

    def __init__(self, tool, folder):
        self.process = subprocess.Popen([tool, "serve", folder],
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL,
                                        encoding="utf-8")
        address = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.host, self.port = address.hostname, address.port
        self.connection = http.client.HTTPConnection(self.host, self.port,
                                                     timeout=3600)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()

    def get(self, path):
        """Seconds and body of an answer of the API."""
        begin = time.perf_counter()
        self.connection.request("GET", "/api/v1" + path)
        answer = self.connection.getresponse()
        body = answer.read()
        seconds = time.perf_counter() - begin
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}: {body[:200]}")
        return seconds, body

    def upload(self, path):
        """The id of the profile that an upload becomes."""
        out = subprocess.run(
            ["curl", "-s", "-F", f"file=@{path}",
             f"http://{self.host}:{self.port}/api/v1/profiles"],
            check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        return json.loads(out)["id"]

    def memory(self):
        return read_memory(self.process.pid)


class Peer(socket.socket):
    """A connection that does not wait, with the answer it is receiving."""

    def __init__(self, service):
        super().__init__()
        self.connect((service.host, service.port))
        self.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.setblocking(False)
        self.received = b""

    def receive(self):
        """Whether the answer is complete."""
        with contextlib.suppress(BlockingIOError):
            self.received += self.recv(1 << 20)
        header, found, body = self.received.partition(b"\r\n\r\n")
        if not found:
            return False
        length = int(header.lower().split(b"content-length:")[1].split(None, 1)[0])
        if len(body) < length:
            return False
        self.received = b""
        return True


class Load:
    """Many requests of one path, from one thread."""

    def __init__(self, service, path, connections):
        self.text = (f"GET /api/v1{path} HTTP/1.1\r\nHost: {service.host}\r\n"
                     "\r\n").encode()
        self.selector = selectors.DefaultSelector()
        self.free = [Peer(service) for _ in range(connections)]
        self.began = {}
        for peer in self.free:
            self.selector.register(peer, selectors.EVENT_READ)

    def close(self):
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()

    def _send(self, since):
        peer = self.free.pop()
        self.began[peer] = since
        peer.send(self.text)

    def _collect(self, timeout):
        """The seconds since the begin of each request that was answered."""
        done = []
        for key, _ in self.selector.select(timeout):
            peer = key.fileobj
            if peer.receive():
                done.append(time.perf_counter() - self.began.pop(peer))
                self.free.append(peer)
        return done

    def saturate(self, seconds):
        """Requests per second if each connection sends one after another."""
        end = time.perf_counter() + seconds
        count = 0
        while time.perf_counter() < end:
            while self.free:
                self._send(time.perf_counter())
            count += len(self._collect(1))
        while self.began:
            self._collect(1)
        return count / seconds

    def offer(self, rate, seconds):
        """Seconds of each answer at a rate of requests (Poisson), from the
        moment at which the request was due."""
        chance = random.Random(1)
        begin = time.perf_counter()
        due = collections.deque()
        at = 0.0
        while (at := at + chance.expovariate(rate)) < seconds:
            due.append(begin + at)
        taken = []
        while due or self.began:
            now = time.perf_counter()
            while due and due[0] <= now and self.free:
                self._send(due.popleft())
            wait = max(0.0, due[0] - now) if due and self.free else 1
            taken += self._collect(wait)
        return taken


def forget(path):
    """Drops the pages of a file from memory, so that the disk is read again."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
