"""The page in one file works from a disk and in a frame, without any request."""

import json
import re
import unittest

import support

MARKUP = '<img src=x onerror="document.title=1">'


class OneFile(support.PageTest):
    def open_file(self, path):
        self.requests = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("nav a")

    def test_every_page_opens_without_requests(self):
        self.open_file(self.service.one_file("recorded"))
        links = self.page.locator("nav a").evaluate_all("links => links.map(link => link.hash)")
        self.assertGreater(len(links), 6)
        for link in links:
            self.page.evaluate("hash => { location.hash = hash; }", link)
            self.page.wait_for_selector(support.SHOWN)
            self.assertEqual(self.page.locator(".failure").all_inner_texts(), [], link)
        self.assertEqual([url for url in self.requests if not url.startswith(("file:", "data:"))], [])
        self.assertEqual(len([url for url in self.requests if url.startswith("file:")]), 1)

    def test_tables_and_links_are_answered_from_the_file(self):
        path, profile = self.service.one_file("recorded"), self.service.ids["recorded"]
        self.open_file(path)
        self.page.goto(f"{path.as_uri()}#/p/{profile}/ops?by=measured-op&filter=count%3E1&sort=op")
        self.page.reload()
        self.page.wait_for_selector("tbody td")
        expected = support.report(self.service.profile("recorded"), "--by=measured-op",
                                  "--filter=count>1", "--sort=op")["rows"]
        op = self.place("op")
        self.assertEqual([row[op] for row in self.rows("measured op")][:10],
                         [row["op"] for row in expected][:10])
        self.page.evaluate("hash => { location.hash = hash; }",
                           f"#/p/{profile}/code?left=input&right=asm")
        self.page.get_by_role("listbox").nth(0).get_by_text("linalg.matmul").first.click()
        self.page.wait_for_selector(".side:nth-child(2) .linked")

    def test_a_frame_shows_it(self):
        text = self.service.one_file("xla").read_text(encoding="utf-8")
        self.page.goto("about:blank")
        self.page.evaluate("""text => {
          const frame = document.createElement('iframe');
          frame.sandbox = 'allow-scripts';
          frame.srcdoc = text;
          frame.style = 'width: 1000px; height: 600px';
          document.body.append(frame);
        }""", text)
        frame = self.page.frame_locator("iframe")
        frame.locator(".tile").first.wait_for()
        frame.get_by_role("link", name="Ops", exact=True).click()
        frame.locator("tbody td").first.wait_for()

    def test_names_are_texts(self):
        text = self.service.one_file("xla").read_text(encoding="utf-8")
        data = re.search(r'id="profile-data">(.*?)</script>', text, re.DOTALL)[1]
        answers = json.loads(data)

        def hostile(value):
            if isinstance(value, dict):
                return {key: hostile(one) for key, one in value.items()}
            if isinstance(value, list):
                return [hostile(one) for one in value]
            return value.replace("fusion", MARKUP) if isinstance(value, str) else value
        answers["answers"] = {key: hostile(value) for key, value in answers["answers"].items()}
        changed = json.dumps(answers).replace("<", "\\u003c")
        path = self.service.folder / "hostile.html"
        path.write_text(text.replace(data, changed), encoding="utf-8")
        self.open_file(path)
        for page in ("overview", "ops?by=measured-op", "timeline", "code", "flame", "graph", "tables"):
            self.page.evaluate("hash => { location.hash = hash; }", f"#/p/{self.service.ids['xla']}/{page}")
            self.page.wait_for_selector(support.SHOWN)
            self.assertEqual(self.page.locator("main img").count(), 0, page)
        self.assertNotEqual(self.page.title(), "1")
        self.page.evaluate("hash => { location.hash = hash; }",
                           f"#/p/{self.service.ids['xla']}/ops?by=measured-op")
        self.page.wait_for_selector("tbody td")
        self.assertIn("<img src=x", self.page.locator("tbody").first.inner_text())


if __name__ == "__main__":
    unittest.main()
