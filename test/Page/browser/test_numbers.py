"""The numbers on the page are those of `report --format=json`."""

import unittest

import support

UNITS = {"s": 10**12, "ms": 10**9, "µs": 10**6, "ns": 10**3, "ps": 1}


def number(text):
    return float(text.replace("\u2009", "").replace("\u2212", "-"))


class Numbers(support.PageTest):
    def check(self, profile, by, column):
        """Compares a column of times with the report, to half of the last digit shown."""
        expected = support.report(self.service.profile(profile), f"--by={by}")["rows"]
        self.assertTrue(expected)
        self.open(f"p/{profile}/ops?by={by}")
        place = self.place(column)
        unit = self.page.locator(f"main th[data-name={column}] .unit").inner_text()
        table = self.page.locator("main .scroll").last.locator("tbody tr:not(.spacer)")
        cells = table.evaluate_all(
            "(rows, place) => rows.map(row => row.cells[place].innerText)", place)
        exact = table.evaluate_all("(rows, place) => rows.map(row => row.cells[place].title)", place)
        self.assertGreaterEqual(len(cells), min(len(expected), 20))
        for row, shown, title in zip(expected, cells, exact):
            self.assertEqual(title, f"{row[column]} ps")
            self.assertLessEqual(abs(number(shown) * UNITS[unit] - row[column]),
                                 UNITS[unit] * 0.0005001)

    def test_times_of_ops(self):
        for profile in ("xla", "torch", "ort", "recorded"):
            with self.subTest(profile=profile):
                self.check(profile, "op", "total_ps")

    def test_times_of_measured_ops(self):
        for profile in support.PROFILES:
            with self.subTest(profile=profile):
                self.check(profile, "measured-op", "time_ps")

    def test_overview(self):
        for profile in ("xla", "recorded"):
            document = support.report(self.service.profile(profile), "--by=op")
            coverage = document["coverage"]
            self.open(f"p/{profile}/overview")
            tiles = self.page.locator(".tile .value").all_inner_texts()
            value, unit = tiles[0].split(" ")
            self.assertLessEqual(abs(number(value) * UNITS[unit] - coverage["op_time_ps"]),
                                 UNITS[unit] * 0.0005001)
            matched = 1 - coverage["unmatched_ps"] / coverage["op_time_ps"]
            self.assertEqual(tiles[1], f"{matched * 100:.1f} %")

    def test_heat_of_lines_adds_up_to_the_level(self):
        rows = support.report(self.service.profile("ort"), "--by=op")["rows"]
        self.open("p/ort/code")
        titles = self.page.locator(".line[title]").evaluate_all("lines => lines.map(line => line.title)")
        shown = sum(number(title.rsplit(" ", 1)[0]) * UNITS[title.rsplit(" ", 1)[1]]
                    for title in titles)
        total = sum(row["total_ps"] for row in rows)
        self.assertLess(abs(shown - total), total * 0.001)


if __name__ == "__main__":
    unittest.main()
