# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The socket at which `mlir-prof control` reaches this process.

Only the user may open it. It is PID.sock in
$XDG_RUNTIME_DIR/mlir-prof or, without that, in the folder `control` of the cache.
A request and its answer are a line of JSON each:
{"verb": "start" | "stop" | "status"}, and the status with "error" and "hint" if it
failed.
"""

import json
import os
import pathlib
import socket
import stat
import struct
import threading
import weakref

from ._controller import ControlError
from ._main_thread import run_in_main_thread

#: Seconds until a client that sends nothing is dropped.
_PATIENCE = 10
_LONGEST_REQUEST = 4096

_server = None
_lock = threading.Lock()


def get_folder():
    """The folder of sockets."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return pathlib.Path(runtime) / "mlir-prof"
    cache = os.environ.get("MLIR_PROF_CACHE")
    if cache and cache != "off":
        return pathlib.Path(cache) / "control"
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "mlir-prof" / "control"


def make_folder():
    """Makes the folder of sockets, and checks that nobody else may use it."""
    folder = get_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if (not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or
            found.st_mode & 0o077):
        raise ControlError(f"{folder} must be a folder that only its owner, this "
                           f"user, may open; hint: chmod 700 {folder}")
    return folder


def _get_peer_user(connection):
    """The user at the other end."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.getuid()  # the folder keeps others out
    _, user, _ = struct.unpack("3i", connection.getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return user


class Server:
    """Answers for the newest capture of this process."""

    def __init__(self):
        self._captures = []
        #: Held while a client waits for its answer.
        self._talking = threading.RLock()
        self._pid = os.getpid()
        self.path = make_folder() / f"{self._pid}.sock"
        # An earlier process with this number may have left it.
        self.path.unlink(missing_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.bind(str(self.path))
            os.chmod(self.path, 0o600)
            self._socket.listen(4)
        except OSError as error:
            self._socket.close()
            raise OSError(error.errno, error.strerror or str(error),
                          str(self.path)) from error
        threading.Thread(target=self._serve, name="mlir-prof control",
                         daemon=True).start()

    def attach(self, capture):
        # One that the program has dropped does not answer.
        self._captures.append(weakref.ref(capture))

    def detach(self, capture):
        global _server
        with _lock:
            self._captures = [other for other in self._captures
                              if other() not in (None, capture)]
            if not self._captures:
                if _server is self:
                    _server = None
                self.close()

    def close(self):
        if os.getpid() == self._pid:
            self.path.unlink(missing_ok=True)
            # A request to stop may end the program before it is answered.
            if self._talking.acquire(timeout=_PATIENCE):
                self._talking.release()
        # Wakes accept().
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return  # closed
            with connection, self._talking:
                connection.settimeout(_PATIENCE)
                try:
                    self._talk(connection)
                except OSError:
                    pass  # the client has gone

    def _talk(self, connection):
        if _get_peer_user(connection) not in (os.getuid(), 0):
            return
        with connection.makefile("rw", encoding="utf-8",
                                 errors="replace", newline="\n") as stream:
            answer = self._answer(stream.readline(_LONGEST_REQUEST))
            stream.write(json.dumps(answer) + "\n")

    def _answer(self, line):
        capture = next((capture for capture in map(
            lambda other: other(), reversed(self._captures)) if capture), None)
        if capture is None:
            return {"error": "the program has dropped its mlir_prof.Capture"}
        try:
            request = json.loads(line)
            verb = request.get("verb") if isinstance(request, dict) else None
        except (ValueError, RecursionError):
            verb = None
        actions = {"start": capture.start, "stop": capture.stop,
                   "status": lambda: None}
        if not isinstance(verb, str) or verb not in actions:
            return {"error": "the request is not understood",
                    "hint": "Use the mlir-prof of the same version."}
        try:
            if verb != "status":
                run_in_main_thread(actions[verb])
        except Exception as error:
            text, _, hint = str(error).partition("; hint: ")
            return {**capture.get_status(), "error": text, "hint": hint}
        return capture.get_status()


def attach(capture):
    """The server of this process, which answers for `capture` from now on."""
    global _server
    import atexit
    with _lock:
        if _server is None or _server._pid != os.getpid():
            _server = Server()
            atexit.register(_server.close)
        _server.attach(capture)
        return _server
