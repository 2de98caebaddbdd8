"""Every page of every profile opens, in both themes and widths, and axe finds nothing."""

import unittest

import support

SERIOUS = {"serious", "critical"}


class Pages(support.PageTest):
    def tearDown(self):
        pass  # each page checks its own errors

    def violations(self, page):
        page.add_script_tag(path=str(support.AXE))
        found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
        return [(one["id"], one["nodes"][0]["html"], one["nodes"][0]["failureSummary"])
                for one in found if one["impact"] in SERIOUS]

    def visit(self, width, scheme):
        self.page.context.close()
        # axe is a script of the test, which the policy of the page does not know.
        self.page = self.new_page(width, scheme=scheme, bypass_csp=True)
        for profile in support.PROFILES:
            self.open(f"p/{profile}/overview")
            links = self.page.locator("nav a").evaluate_all("links => links.map(link => link.hash)")
            self.assertGreater(len(links), 8, profile)
            for link in links:
                with self.subTest(profile=profile, page=link, width=width, scheme=scheme):
                    self.open(link[2:])
                    self.assertEqual(self.page.locator(".failure").all_inner_texts(), [])
                    self.assertEqual(self.violations(self.page), [])
                    wide = self.page.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(wide, width)
                    self.assertEqual(self.errors, [])
        self.page.context.close()

    def test_wide_and_light(self):
        self.visit(1280, "light")

    def test_narrow_and_dark(self):
        self.visit(390, "dark")


if __name__ == "__main__":
    unittest.main()
