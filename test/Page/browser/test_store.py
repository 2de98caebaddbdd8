"""The page follows the store: what others upload while it is open is shown."""

import urllib.request

import support


class Store(support.PageTest):
    def setUp(self):
        super().setUp()
        store = self.service.folder / "followed"
        store.mkdir(exist_ok=True)
        (store / "ort.mlprof").write_bytes(self.service.profile("ort").read_bytes())
        self.server = support.Server(store)
        self.addCleanup(self.server.close)

    def upload(self, name):
        boundary = "boundary-of-this-test"
        body = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; "
                f"filename=\"{name}.mlprof\"\r\n\r\n").encode()
        body += self.service.profile(name).read_bytes() + f"\r\n--{boundary}--\r\n".encode()
        request = urllib.request.Request(
            f"{self.server.address}api/v1/profiles", body,
            {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.assertEqual(answer.status, 201)

    def test_lists_and_histories_are_asked_again(self):
        self.page.goto(self.server.address)
        self.page.wait_for_selector('text="1 profile"')
        self.page.get_by_role("link", name="History", exact=True).click()
        self.page.wait_for_selector(support.SHOWN)
        self.upload("recorded")
        self.page.get_by_role("link", name="Profiles", exact=True).click()
        self.page.wait_for_selector("text=2 profiles")
        self.page.get_by_role("link", name="History", exact=True).click()
        self.page.get_by_label("Model").select_option("transformer")
        self.page.wait_for_selector(".plot canvas")
