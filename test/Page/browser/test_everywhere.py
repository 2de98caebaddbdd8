"""Every page of every profile is used with the mouse and with the keyboard."""

import re

import support


class Everywhere(support.PageTest):
    def menu(self, profile):
        """Opens a profile and returns the pages in its menu, by their titles."""
        self.open(f"p/{profile}/overview")
        return self.page.locator("nav a").evaluate_all(
            "links => Object.fromEntries(links.map(link => [link.textContent, link.hash]))")

    def keys(self):
        """Returns the keys that open pages, by their titles, from the help of the page."""
        self.page.keyboard.press("?")
        texts = self.page.locator("dialog .keys").evaluate(
            "list => [...list.children].map(one => one.textContent)")
        self.page.keyboard.press("Escape")
        return {title: keys.split() for keys, title in zip(texts[::2], texts[1::2])
                if re.fullmatch(r"g \w", keys)}

    def check(self, place):
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_selector(support.SHOWN)
        self.assertEqual(self.page.locator(".failure").all_inner_texts(), [], place)
        self.assertEqual(self.errors, [], place)

    def choose_everything(self, place):
        """Chooses the last entry of each list of the page, and the first again."""
        for label in self.page.locator("main select").evaluate_all(
                "lists => lists.map(list => list.ariaLabel)"):
            chosen = self.page.get_by_label(label, exact=True)
            for last in (True, False):
                if chosen.count() == 0:  # the list belongs to what was chosen before
                    break
                values = chosen.locator("option").evaluate_all("all => all.map(one => one.value)")
                value = values[-1 if last else 0]
                chosen.select_option(value)
                self.check(f"{place} {label} {value}")

    def sort_by_mouse(self, place):
        headings = self.page.locator("main .table th button")
        if headings.count():
            headings.last.click()
            self.page.wait_for_selector("main .table th[aria-sort]")
            self.check(place)

    def point_at_pictures(self, place):
        """Clicks and turns the wheel in the middle of each picture, which stays whole."""
        for picture in self.page.locator("main :is(canvas:not(.strip), .graph, .roofline, .plot)").all():
            if picture.count() == 0:  # a click on a point of the one before opened its profile
                break
            box = picture.bounding_box()
            middle = [box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 300)]
            self.page.mouse.move(*middle)
            self.page.mouse.wheel(0, 60)
            self.page.mouse.click(*middle)
            self.check(place)

    def walk(self, selector, attribute):
        """Presses the arrow down in the first of `selector`, and returns where it was and is."""
        first = self.page.locator(selector).first
        if first.count() == 0:
            return None
        first.focus()
        focused = f"document.activeElement.closest('[{attribute}]')?.getAttribute('{attribute}')"
        before = self.page.evaluate(focused)
        self.page.keyboard.press("ArrowDown")
        return before, self.page.evaluate(focused)

    def walk_by_keys(self, place):
        """Walks rows, lines and pictures of the page by arrows."""
        moved = self.walk("main tr.opens", "data-place")
        if moved and self.page.locator("main tr.opens").count() > 1:
            self.assertNotEqual(*moved, place)
        for pane in self.page.get_by_role("listbox").all():
            pane.focus()
            self.page.keyboard.press("End")
            self.page.keyboard.press("Home")
            self.assertEqual(pane.locator(".selected").get_attribute("data-line"), "1", place)
        for picture in self.page.locator("main canvas[tabindex]").all():
            picture.focus()
            for key in ("ArrowDown", "w", "d", "a", "s", "ArrowUp", "Escape"):
                self.page.keyboard.press(key)
        self.check(place)

    def use(self, profile):
        pages = self.menu(profile)
        keys = self.keys()
        self.assertGreater(len(pages), 8)
        for title, hash in pages.items():
            with self.subTest(profile=profile, page=title):
                self.open(f"p/{profile}/overview")
                self.page.get_by_role("link", name=title, exact=True).click()
                self.page.wait_for_function("hash => location.hash.startsWith(hash)", arg=hash)
                self.check(title)
                self.sort_by_mouse(title)
                self.choose_everything(title)
                self.point_at_pictures(title)
                self.open(f"p/{profile}/{'tables' if title == 'Overview' else 'overview'}")
                self.page.locator("main").focus()
                for key in keys[title]:
                    self.page.keyboard.press(key)
                self.page.wait_for_function("hash => location.hash.startsWith(hash)", arg=hash)
                self.check(title)
                self.walk_by_keys(title)


def test_of(profile):
    return lambda self: self.use(profile)


for _profile in support.PROFILES:
    setattr(Everywhere, f"test_{_profile}", test_of(_profile))
