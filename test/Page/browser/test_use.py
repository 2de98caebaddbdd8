"""The pages are used with mouse and keyboard."""

import unittest

import support

# The address follows a moving picture after a moment.
WRITTEN_MS = 400


class Tables(support.PageTest):
    def column(self, place):
        return [row[place] for row in self.rows("measured op")]

    def test_columns_sort_as_shown(self):
        self.open("p/xla/ops?by=measured-op")
        heading = self.page.get_by_role("button", name="count")
        heading.click()
        self.page.wait_for_selector("th[aria-sort=descending] >> text=count")
        place = self.page.locator("main th").evaluate_all(
            "headings => headings.findIndex(heading => heading.ariaSort)")
        counts = [int(text.replace("\u2009", "")) for text in self.column(place)]
        self.assertEqual(counts, sorted(counts, reverse=True))
        heading.click()
        self.page.wait_for_selector("th[aria-sort=ascending] >> text=count")
        self.page.wait_for_load_state("networkidle")
        counts = [int(text.replace("\u2009", "")) for text in self.column(place)]
        self.assertEqual(counts, sorted(counts))

    def test_a_filter_is_in_the_address(self):
        self.open("p/xla/ops?by=measured-op")
        self.page.get_by_label("Column of the filter").select_option("op")
        self.page.keyboard.press("Escape")
        self.page.locator("body").press("/")
        self.page.keyboard.type("DOT")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(".chip")
        self.page.wait_for_load_state("networkidle")
        expected = support.report(self.service.profile("xla"), "--by=measured-op", "--filter=op~~DOT")
        self.assertIn("filter=op%7E%7EDOT", self.page.url)
        self.assertEqual(len(self.rows("measured op")), expected["matched"])
        self.page.reload()
        self.page.wait_for_selector(".chip")
        self.page.get_by_role("button", name="Remove the filter").click()
        self.page.wait_for_selector(".chip", state="detached")

    def test_a_row_leads_to_its_line(self):
        self.open("p/ort/ops?by=op")
        row = support.report(self.service.profile("ort"), "--by=op", "--top=1")["rows"][0]
        self.page.locator("tr.opens").first.focus()
        self.page.keyboard.press("Enter")
        line = self.page.wait_for_selector(".line.selected")
        self.assertIn(row["op"].split(".")[-1], line.inner_text())
        self.assertIn(f"left%3A{row['index']}", self.page.url)


class Code(support.PageTest):
    def test_an_instruction_leads_to_its_op(self):
        self.open("p/recorded/code?left=input&right=asm")
        panes = self.page.get_by_role("listbox")
        panes.nth(0).get_by_text("linalg.matmul").first.click()
        self.page.wait_for_selector(".line.linked")
        linked = panes.nth(1).locator(".linked").first
        linked.click()
        self.page.wait_for_selector(".side:nth-child(1) .linked")
        texts = panes.nth(0).locator(".linked").all_inner_texts()
        self.assertTrue(any("linalg.matmul" in text for text in texts), texts)

    def test_levels_are_walked_by_keys(self):
        self.open("p/recorded/code?left=input&right=loops")
        panes = self.page.get_by_role("listbox")
        panes.nth(0).focus()
        self.page.keyboard.press("Home")
        for _ in range(4):
            self.page.keyboard.press("ArrowDown")
        self.assertEqual(panes.nth(0).locator(".selected").get_attribute("data-line"), "5")
        self.page.keyboard.press("]")
        focused = self.page.evaluate("document.activeElement.ariaLabel")
        self.assertEqual(focused, "Code of level loops")
        self.page.keyboard.press("Escape")

    def test_the_trail_opens_another_level(self):
        self.open("p/recorded/code?left=input&right=loops")
        self.page.get_by_role("listbox").nth(0).get_by_text("linalg.matmul").first.click()
        self.page.get_by_role("button", name="llvm").click()
        self.page.wait_for_selector("[aria-label='Code of level llvm'] .linked")


class Timeline(support.PageTest):
    def options(self, name):
        self.page.wait_for_timeout(WRITTEN_MS)
        query = self.page.url.partition("?")[2]
        return dict(part.split("=") for part in query.split("&") if part).get(name)

    def test_keys_zoom_and_move(self):
        self.open("p/xla/timeline")
        self.page.locator("canvas").focus()
        self.page.keyboard.press("w")
        first = [int(end) for end in self.options("range").split("_")]
        self.page.keyboard.press("d")
        second = [int(end) for end in self.options("range").split("_")]
        self.assertEqual(first[1] - first[0], second[1] - second[0])
        self.assertGreater(second[0], first[0])
        self.page.keyboard.press("s")
        third = [int(end) for end in self.options("range").split("_")]
        self.assertGreater(third[1] - third[0], second[1] - second[0])

    def test_a_selection_has_the_sums_of_its_events(self):
        self.open("p/xla/timeline")
        box = self.page.locator("canvas").bounding_box()
        self.page.keyboard.down("Shift")
        self.page.mouse.move(box["x"] + 2, box["y"] + 200)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 220, steps=4)
        self.page.mouse.up()
        self.page.keyboard.up("Shift")
        self.page.wait_for_selector("aside[aria-label='Sums of the selection'] tbody td")
        rows = {row[0]: row for row in self.rows("Sums of the selection")}
        self.assertEqual(rows["train"][1], "10")

    def test_a_click_shows_the_event(self):
        self.open("p/torch/timeline")
        box = self.page.locator("canvas").bounding_box()
        self.page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + 26 + 22 + 8)
        self.page.wait_for_selector("aside[aria-label=Event] dd")
        self.assertIn("ProfilerStep#3", self.page.locator("aside").inner_text())

    def test_a_search_goes_to_events(self):
        self.open("p/xla/timeline")
        self.page.locator("body").press("/")
        self.page.keyboard.type("train")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("text=10 events")
        self.assertIsNotNone(self.options("range"))


class Others(support.PageTest):
    def test_pages_open_by_keys(self):
        self.open("p/xla/overview")
        self.page.keyboard.press("g")
        self.page.keyboard.press("t")
        self.page.wait_for_selector("canvas")
        self.page.keyboard.press("?")
        self.page.wait_for_selector("dialog[open]")
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector("dialog[open]", state="detached")

    def test_a_step_is_chosen(self):
        self.open("p/xla/steps")
        self.page.get_by_label("Step", exact=True).fill("3")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("h2 >> text=Step 3")
        rows = support.report(self.service.profile("xla"), "--by=step-trace", "--sort=step:asc")["rows"]
        lanes = self.page.locator(".lanes dd .numeric").all_inner_texts()
        self.assertEqual(lanes[-1], f"{rows[3]['total_ps'] / 10**6:.3f} µs")

    def test_a_box_of_the_flame_becomes_the_whole(self):
        self.open("p/recorded/flame")
        self.page.locator("canvas").focus()
        self.page.keyboard.press("ArrowDown")
        self.page.wait_for_function("location.hash.includes('root=')")
        self.page.keyboard.press("0")
        self.page.wait_for_function("!location.hash.includes('root=')")

    def test_a_node_of_the_graph_leads_to_its_line(self):
        self.open("p/recorded/graph")
        self.page.locator("g.node", has_text="linalg.matmul").first.press("Enter")
        self.page.get_by_role("link", name="Show its line").click()
        self.page.wait_for_selector(".pane")

    def test_a_query(self):
        self.open("p/xla/tables")
        self.page.keyboard.press("g")
        self.page.keyboard.press("q")
        self.page.get_by_label("SQL").fill("SELECT count(*) AS n FROM ops")
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_selector("region[name=Result] td, [aria-label=Result] td")
        count = support.report(self.service.profile("xla"), "--by=measured-op")["matched"]
        self.assertEqual(self.rows("Result"), [[str(count)]])

    def test_two_runs_are_compared(self):
        self.open("compare?before=recorded&after=recorded")
        self.assertIn("0.0 %", self.page.locator(".tiles").inner_text())

    def test_a_model_has_a_history(self):
        # A profile without a model, such as MindSpore's, does not hide those of others.
        self.open("history")
        self.page.wait_for_selector(".plot canvas")
        models = self.page.get_by_label("Model").locator("option").all_inner_texts()
        self.assertIn("transformer", models)
        self.assertNotIn("", models)

    def test_the_menu_shows_the_page_on_narrow_screens(self):
        self.page.context.close()
        self.page = self.new_page(390)
        self.open("p/recorded/roofline")
        place = self.page.locator("nav a[aria-current]").bounding_box()
        self.assertGreaterEqual(place["x"], 0)
        # Browsers scroll by whole pixels.
        self.assertLess(place["x"] + place["width"], 391)

    def test_the_theme_is_switched(self):
        self.open("p/xla/overview")
        ground = "getComputedStyle(document.body).backgroundColor"
        light = self.page.evaluate(ground)
        self.page.get_by_label("Theme").select_option("dark")
        self.assertNotEqual(self.page.evaluate(ground), light)
        self.page.reload()
        self.page.wait_for_selector(".tile")
        self.assertNotEqual(self.page.evaluate(ground), light)


if __name__ == "__main__":
    unittest.main()
