"""A service of mlir-prof for tests: starts it on a folder, and asks it."""

import http.client
import json
import signal
import subprocess
import urllib.parse
import uuid


class Service:
    def __init__(self, tool, folder, *options):
        self.process = subprocess.Popen([tool, "serve", str(folder), *options],
                                        stdout=subprocess.PIPE, encoding="utf-8")
        address = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.host, self.port = address.hostname, address.port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.stdout.close()
        code = self.process.wait(timeout=60)
        assert code in (0, -signal.SIGKILL), f"the service ended with {code}"

    def request(self, method, path, body=None, headers=None):
        """Status, headers and body of an answer. `path` is sent as it is."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=120)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def ask(self, path, status=200, method="GET", body=None, headers=None, **parameters):
        """The JSON of an answer of the API, whose status must be `status`; None: any success."""
        if parameters:
            path += "?" + urllib.parse.urlencode(parameters, doseq=True)
        if isinstance(body, dict):
            body = json.dumps(body)
        got, _, text = self.request(method, "/api/v1" + path, body, headers)
        if status is None:
            status = got if got in (200, 201) else 200
        assert got == status, f"{method} {path}: {got}, not {status}: {text[:500]}"
        return json.loads(text)

    def upload(self, path, status=201, content=None, model=None, **fields):
        """Uploads a file, as a form of a browser."""
        boundary = uuid.uuid4().hex
        parts = []
        for name, value in fields.items():
            parts.append((f'name="{name}"', value.encode()))
        for name, file in (("file", path), ("model", model)):
            if file:
                data = content if content is not None and name == "file" else file.read_bytes()
                parts.append((f'name="{name}"; filename="{file.name}"', data))
        body = b"".join(f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode()
                        + data + b"\r\n" for head, data in parts)
        body += f"--{boundary}--\r\n".encode()
        return self.ask("/profiles", status, "POST", body,
                        {"Content-Type": f"multipart/form-data; boundary={boundary}"})
