"""Profiles of five producers, the service over them, and a browser, for all tests."""

import atexit
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = shlex.split(os.environ["MLIR_PROF"])
BROWSER = os.environ.get("CHROMIUM", "/usr/bin/chromium")
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
# Machines that run tests may be loaded; no test waits this long for what comes.
TIMEOUT_MS = 60_000
# What a page shows once its answers came.
SHOWN = "main :is(table, canvas, svg, .pane, .entries, .advice, .notice, textarea)"
RECORDINGS = ROOT / "test/data/recordings"

IMPORTED = {
    "xla": ["examples/jax/trace.xplane.pb", "--model=examples/jax/model.mlir"],
    "torch": [str(RECORDINGS / "torch/train-eager/trace.json.gz"),
              f"--model={RECORDINGS / 'torch/train-eager/model.generic.mlir'}"],
    "ort": [str(RECORDINGS / "ort/cnn-basic/trace.json.gz"),
            f"--model={RECORDINGS / 'ort/cnn-basic/model.generic.mlir'}"],
    "mindspore": [str(RECORDINGS / "mindspore/r13/JOB1")],
}
PRODUCERS = {"xla": "xplane", "torch": "kineto", "ort": "onnxruntime",
             "mindspore": "mindspore-folder", "recorded": "mlir-prof"}
PROFILES = list(PRODUCERS)


def mlir_prof(*arguments):
    done = subprocess.run([*TOOL, *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def report(profile, *arguments):
    """Returns the JSON document of a report."""
    return json.loads(mlir_prof("report", str(profile), *arguments, "--format=json"))


class Server:
    """`mlir-prof serve` on a folder, at a port that is free."""

    def __init__(self, folder, *options):
        self.process = subprocess.Popen([*TOOL, "serve", str(folder), *options],
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("http"):
            raise RuntimeError("the service does not start")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Service(Server):
    """Profiles of all producers, and the service that answers for them."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mlir-prof-page-"))
        self.store = self.folder / "store"
        self.store.mkdir()
        for name, source in IMPORTED.items():
            mlir_prof("import", *source, "--keep-events", "--allow-unmatched",
                      "-o", str(self.profile(name)))
        model = self.folder / "model"
        subprocess.run([sys.executable, str(ROOT / "examples/transformer/model.py"), "-o",
                        str(model)], check=True, capture_output=True)
        mlir_prof("record", str(model / "transformer.mlir"), "--keep-events", "--seconds=0.5",
                  "-o", str(self.profile("recorded")))
        super().__init__(self.store)
        self.ids = {name: self.find(name) for name in PROFILES}

    def profile(self, name):
        return self.store / f"{name}.mlprof"

    def find(self, name):
        """Returns the id of a profile at the service, which is made from its content."""
        path = self.profile(name)
        with urllib.request.urlopen(self.address + "api/v1/profiles?limit=100", timeout=60) as answer:
            profiles = json.load(answer)["profiles"]
        producer = PRODUCERS[name]
        found = [one["id"] for one in profiles if one["producer"] == producer
                 and one["bytes"] == path.stat().st_size]
        if len(found) != 1:
            raise RuntimeError(f"the service has {len(found)} profiles of {path}")
        return found[0]

    def one_file(self, name):
        """Returns the profile and the page as one HTML file."""
        path = self.folder / f"{name}.html"
        if not path.exists():
            mlir_prof("report", str(self.profile(name)), "--format=html", "-o", str(path))
        return path

    def close(self):
        super().close()
        shutil.rmtree(self.folder)


@functools.cache
def service():
    made = Service()
    atexit.register(made.close)  # a module of tests does not end the service of the next one
    return made


class PageTest(unittest.TestCase):
    """A test with a page of a browser, which fails on errors that the page reports."""

    @classmethod
    def setUpClass(cls):
        cls.service = service()
        cls.player = sync_playwright().start()
        cls.browser = cls.player.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.player.stop()

    def setUp(self):
        self.page = self.new_page()

    def tearDown(self):
        self.page.context.close()
        self.assertEqual(self.errors, [])

    def new_page(self, width=1280, height=800, scheme="light", **options):
        self.errors = []
        context = self.browser.new_context(viewport={"width": width, "height": height},
                                           color_scheme=scheme, **options)
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: message.type == "error"
                and self.errors.append(message.text))
        return page

    def open(self, place):
        """Goes to a state of the page, such as p/xla/ops?sort=op, and waits for it."""
        self.errors.clear()
        place = re.sub(r"(?<=^p/)\w+|(?<=before=)\w+|(?<=after=)\w+",
                       lambda match: self.service.ids.get(match[0], match[0]), place)
        self.page.goto("about:blank")
        self.page.goto(f"{self.service.address}#/{place}")
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_selector(SHOWN)

    def place(self, name):
        """Returns the place of a column among those that the table shows."""
        return self.page.locator("main th").evaluate_all(
            "(headings, name) => headings.findIndex(heading => heading.dataset.name === name)",
            name)

    def rows(self, label):
        """Returns the texts of the cells of a table, row by row."""
        table = self.page.get_by_role("region", name=label, exact=True).locator("tbody tr:not(.spacer)")
        return table.evaluate_all(
            "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))")
