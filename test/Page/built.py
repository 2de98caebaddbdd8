"""Checks the built page without building it: its sources, policy and size."""

import base64
import gzip
import hashlib
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
PAGE = (ROOT / "lib/Serve/Page/page.html").read_text(encoding="utf-8")
LARGEST_CODE = 80_000
# The window of another viewer that a button opens; the page itself asks it for nothing.
OPENED = {"https://ui.perfetto.dev"}
NAMESPACES = {"http://www.w3.org/"}


def between(begin, end):
    return PAGE[PAGE.index(begin) + len(begin):PAGE.rindex(end)]


def digest_of_sources():
    names = [path for path in (WEB / "src").rglob("*") if path.is_file()]
    names += [WEB / name for name in ("build.mjs", "package-lock.json", "tsconfig.json")]
    digest = hashlib.sha256()
    for name in sorted(path.relative_to(WEB).as_posix() for path in names):
        digest.update(name.encode() + b"\0" + (WEB / name).read_bytes() + b"\0")
    return digest.hexdigest()


def hash_of(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class Built(unittest.TestCase):
    code = between("<script>", "</script>")
    style = between("<style>", "</style>")

    def test_sources(self):
        built = re.search(r'name="sources" content="(\w+)"', PAGE)[1]
        self.assertEqual(built, digest_of_sources(), "run 'npm run build' in web/")

    def test_policy_names_the_only_script_and_style(self):
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', PAGE)[1]
        self.assertIn("default-src 'none'", policy)
        self.assertIn(f"script-src 'sha256-{hash_of(self.code)}'", policy)
        self.assertIn(f"style-src 'sha256-{hash_of(self.style)}'", policy)
        self.assertNotIn("unsafe", policy)

    def test_place_of_the_data(self):
        self.assertEqual(PAGE.count("<!-- mlir-prof data -->"), 1)
        self.assertLess(PAGE.index("<!-- mlir-prof data -->"), PAGE.index("<script>"))

    def test_size(self):
        size = sum(len(gzip.compress(text.encode(), 9)) for text in (self.code, self.style))
        self.assertLess(size, LARGEST_CODE)

    def test_asks_no_network(self):
        addresses = set(re.findall(r"https?://[\w./-]+", PAGE))
        for address in addresses - OPENED:
            self.assertTrue(address.startswith(tuple(NAMESPACES)), address)

    def test_names_never_become_markup(self):
        for path in (WEB / "src").rglob("*.ts*"):
            for way in ("innerHTML", "outerHTML", "dangerouslySet", "insertAdjacent", "eval("):
                self.assertNotIn(way, path.read_text(encoding="utf-8"), path)


if __name__ == "__main__":
    unittest.main()
