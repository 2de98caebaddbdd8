#!/usr/bin/env python3
"""A stand-in for `mlir-prof serve` while the page is developed: serve.py FOLDER [PORT].

The environment variable MLIR_PROF names the command that answers."""

import http.server
import json
import pathlib
import sys
import threading

import answers
import tables

# One answer at a time: what is remembered is not made twice.
LOCK = threading.Lock()
PAGE = pathlib.Path(__file__).parents[2] / "lib/Serve/Page/page.html"


class Handler(http.server.BaseHTTPRequestHandler):
    def send(self, status, kind, data):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def reply(self, make):
        try:
            with LOCK:
                answer = make()
            self.send(200, "application/json", json.dumps(answer).encode())
        except (KeyError, RuntimeError, ValueError) as error:
            status = 404 if isinstance(error, KeyError) else 400
            self.send(status, "application/json", json.dumps(
                {"code": "not-found" if status == 404 else "bad-request",
                 "message": str(error), "hint": ""}).encode())

    def do_GET(self):
        if self.path.startswith("/api/v1/"):
            self.reply(lambda: answers.answer(sys.argv[1], self.path[len("/api/v1/"):]))
        else:
            self.send(200, "text/html; charset=utf-8", PAGE.read_bytes())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        profile = pathlib.Path(sys.argv[1]) / (self.path.split("/")[4] + ".mlprof")
        self.reply(lambda: tables.query(str(profile), json.loads(body)["sql"]))

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8765
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
