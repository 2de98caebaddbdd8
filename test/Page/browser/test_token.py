"""A service with a token: the page sends it with each request, and in no address."""

import pathlib
import re

import support

TOKEN = "a-secret-of-this-test"


class Token(support.PageTest):
    def setUp(self):
        super().setUp()
        path = self.service.folder / "token"
        path.write_text(TOKEN + "\n", encoding="utf-8")
        store = self.service.folder / "kept"
        store.mkdir(exist_ok=True)
        profile = store / "xla.mlprof"
        profile.write_bytes(self.service.profile("xla").read_bytes())
        self.server = support.Server(store, f"--token-file={path}")
        self.addCleanup(self.server.close)

    def test_downloads_send_it(self):
        requests = []
        self.page.goto(f"{self.server.address}?token={TOKEN}#/p/{self.service.ids['xla']}/overview")
        self.page.on("request", lambda request: requests.append(request.url))
        with self.page.expect_download() as waited:
            self.page.get_by_role("button", name="Profile (.mlprof)").click()
        self.assertEqual(pathlib.Path(waited.value.path()).read_bytes(),
                         self.service.profile("xla").read_bytes())
        self.assertTrue(waited.value.suggested_filename.endswith(".mlprof"))
        self.page.get_by_role("link", name="Ops", exact=True).click()
        self.page.wait_for_selector("tbody td")
        self.assertTrue(any(re.search("/download$", url) for url in requests), requests)
        self.assertEqual([url for url in requests if TOKEN in url], [])

    def test_nothing_is_shown_without_it(self):
        self.page.goto(self.server.address)
        self.page.wait_for_selector(".failure")
        self.assertEqual(self.page.locator("tbody td").count(), 0)
        self.errors.clear()  # the browser reports the refused request
