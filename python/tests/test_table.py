# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables and profiles, checked against the tool's own answers."""

import csv
import html.parser
import importlib.util
import io
import json
import os
import pathlib
import re
import tempfile
import unittest

import mlir_prof

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRACE = ROOT / "examples/jax/trace.xplane.pb"
MODEL = ROOT / "examples/jax/model.mlir"


def ask(*arguments):
    """A document of the tool, asked directly."""
    return json.loads(mlir_prof.run(*arguments, "--format=json"))


class Scratch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.profile = mlir_prof.open(TRACE, model=MODEL, allow_unmatched=True)
        cls.options = [f"--model={MODEL}", "--allow-unmatched"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ask(self, *arguments):
        return ask("report", TRACE, *self.options, *arguments)


class Tables(Scratch):
    def test_rows_and_columns_are_the_tools(self):
        table = self.profile.report("op-type")
        document = self.ask("--by=op-type")
        self.assertEqual(table.to_list(), document["rows"])
        self.assertEqual(json.loads(table.to_json()), document)
        self.assertEqual([column.name for column in table.columns],
                         list(document["rows"][0]))
        self.assertEqual(table.column("total_ps"),
                         mlir_prof.Column("total_ps", "total", "time", "ps"))
        self.assertEqual(table["count"],
                         [row["count"] for row in document["rows"]])
        with self.assertRaisesRegex(KeyError, "no column 'x'; hint: there are key,"):
            table.column("x")

    def test_a_table_without_rows_has_columns(self):
        table = self.profile.report("op-type", filter="count>1000000")
        self.assertEqual((len(table), table.matched), (0, 0))
        self.assertEqual([column.name for column in table.columns],
                         [column.name for column in
                          self.profile.report("op-type").columns])
        self.assertIn("no rows", repr(table))

    def test_filters_and_orders_mean_what_the_tools_do(self):
        table = self.profile.report("measured-op")
        for condition in ("time_ps>100us", "time<=0.05ms", "class=fused", "count!=10",
                          "op~fusion.1", "class!=", "module="):
            self.assertEqual(
                table.filter(condition).to_list(),
                self.ask("--by=measured-op", f"--filter={condition}")["rows"],
                condition)
        for order in ("count,op", "-time", "op:desc", "time:asc,-op", "class"):
            self.assertEqual(
                [row["op"] for row in table.sort(order)],
                [row["op"] for row in
                 self.ask("--by=measured-op", f"--sort={order}")["rows"]], order)
        self.assertEqual(table.filter(lambda row: row["count"] == 10).to_list(),
                         table.filter("count=10").to_list())
        for wrong, message in (("count", "is not a condition"),
                               ("nothing=1", "no column 'nothing'"),
                               ("time>1 week", "is not a time"),
                               ("count=x", "count: "), ("count~1", "is for texts"),
                               ("time>0.5ps", "a part of a picosecond")):
            with self.assertRaisesRegex(ValueError, message):
                table.filter(wrong)
        with self.assertRaisesRegex(ValueError, "no column 'nothing'"):
            table.sort("nothing")

    def test_pages(self):
        table = self.profile.report("op")
        page = table.page(2, 5)
        self.assertEqual(page.to_list(),
                         self.ask("--by=op", "--top=5", "--page=2")["rows"])
        self.assertEqual(page.matched, len(table))
        self.assertEqual(table.top(3).to_list(), table[:3].to_list())
        self.assertEqual(table[0], next(iter(table)))
        with self.assertRaisesRegex(ValueError, "page 0"):
            table.page(0)

    def test_groups_add_up(self):
        groups = self.profile.report("op").group("op")
        expected = {row["key"]: row for row in self.ask("--by=op-type")["rows"]}
        self.assertEqual({row["op"]: row["total_ps"] for row in groups},
                         {key: row["total_ps"] for key, row in expected.items()})
        self.assertEqual(sum(groups["rows"]), len(self.profile.report("op")))
        self.assertEqual(groups["total_ps"],
                         sorted(groups["total_ps"], reverse=True))

    def test_text_has_the_numbers_of_the_tools_text(self):
        text = mlir_prof.run("report", TRACE, *self.options, "--by=op-type")
        numbers = {line.split()[-1]: line.split()[-6:-1] for line in
                   text.splitlines()[1:] if "stablehlo." in line}
        shown = {line.split()[-1]: line.split()[-6:-1] for line in
                 repr(self.profile.report("op-type")).splitlines()[1:]}
        self.assertGreater(len(numbers), 5)
        self.assertEqual({key: shown[key] for key in numbers}, numbers)

    def test_html_is_escaped_and_hot(self):
        table = mlir_prof.Table(
            [{"key": "<script>\x1b[2J", "total_ps": 3 * 10**9},
             {"key": "b", "total_ps": 10**9}], weight=("total_ps", 4 * 10**9))
        text = table._repr_html_()
        self.assertNotIn("<script>", text)
        self.assertIn("&lt;script&gt;\\u{1b}[2J", text)
        self.assertIn("75.0%", text)
        self.assertIn("<th>total [ms]</th>", text)
        self.assertNotIn("\x1b", repr(table))

    def test_unknown_figures_are_dashes_and_none(self):
        table = mlir_prof.Table([{"a_ps": None, "n": 1}, {"a_ps": 5, "n": None}])
        self.assertEqual(table["a_ps"], [None, 5])
        self.assertEqual(table.sort("a_ps")["a_ps"], [5, None])
        self.assertEqual(len(re.findall(r"(?m)(?<!\S)-(?!\S)", repr(table))), 2)

    def test_frames(self):
        table = self.profile.report("op")
        for name, method in (("pandas", table.to_pandas),
                             ("pyarrow", table.to_arrow)):
            if not importlib.util.find_spec(name):
                with self.assertRaisesRegex(ImportError, f"pip install {name}"):
                    method()
                continue
            made = method()
            if name == "pandas":
                self.assertEqual(made["total_ps"].tolist(), table["total_ps"])
                self.assertEqual(made.attrs["units"]["total_ps"], "ps")
            else:
                self.assertEqual(made.to_pylist(), table.to_list())
                self.assertEqual(made.field("total_ps").metadata[b"unit"], b"ps")


class Profiles(Scratch):
    def test_facts(self):
        document = self.ask("--by=op")
        self.assertEqual(self.profile.coverage._asdict(), document["coverage"])
        self.assertEqual(self.profile.coverage.share, 1)
        self.assertIsNone(mlir_prof.open(TRACE).coverage)
        self.assertEqual(self.profile.losses.to_list(), document["losses"])

    def test_explanations(self):
        found = self.profile.explain(64)
        self.assertEqual(found.document["op"], "stablehlo.dot_general")
        self.assertEqual(repr(found), mlir_prof.run(
            "report", TRACE, *self.options, "--explain=64").rstrip("\n"))
        self.assertTrue(found._repr_html_().startswith("<pre>#64"))

    def test_graphs(self):
        picture = self.profile.graph()
        self.assertEqual(picture.svg, mlir_prof.run(
            "graph", TRACE, *self.options, "--format=svg"))
        self.assertIn(picture.svg, picture._repr_html_())
        self.assertEqual(picture.save(self.folder / "g.svg").read_text(), picture.svg)

    def test_pages(self):
        page = self.profile.page(max_size=1)
        self.assertLessEqual(len(page.html.encode()), 10**6)
        self.assertEqual(page.save(self.folder / "p.html").read_text(encoding="utf-8"),
                         page.html)
        data = json.loads(re.search(r'id="profile-data">(.*?)</script>', page.html, re.S)[1])
        [shown] = data["answers"]["profiles"]["profiles"]
        rows = data["answers"][f"profiles/{shown['id']}/analyzers/op"]
        self.assertEqual(rows["matched"], self.ask("--by=op")["matched"])

    def test_a_notebook_shows_a_profile_in_a_frame(self):
        class Frames(html.parser.HTMLParser):
            found = []

            def handle_starttag(self, tag, attributes):
                self.found.append((tag, dict(attributes)))

        Frames().feed(self.profile._repr_html_())
        [(tag, attributes)] = Frames.found
        self.assertEqual(tag, "iframe")
        # With both, the page could remove its own sandbox.
        self.assertEqual(attributes["sandbox"], "allow-scripts")
        self.assertIn('id="profile-data"', attributes["srcdoc"])
        self.assertEqual(attributes["srcdoc"].count("</script>"), 2)

    def test_queries(self):
        table = self.profile.query("SELECT name, time_ps FROM ops ORDER BY name")
        self.assertEqual(sorted(table["time_ps"]), sorted(
            row["time_ps"] for row in self.ask("--by=measured-op")["rows"]))
        self.assertEqual(table.column("time_ps").unit, "ps")
        with self.assertRaisesRegex(mlir_prof.ToolError, "syntax error"):
            self.profile.query("SELECT FROM")

    def test_differences(self):
        other = ROOT / "test/data/recordings/jax/mlp/xplane.pb"
        mlp = mlir_prof.open(other, model=other.with_name("model.generic.mlir"))
        table = mlp.diff(mlir_prof.open(other.parent.with_name("mlp-noynn") /
                                        "xplane.pb"))
        document = ask("diff", other, other.parent.with_name("mlp-noynn") /
                       "xplane.pb", f"--model={other.with_name('model.generic.mlir')}")
        self.assertEqual(table.to_list(), document["rows"])
        self.assertEqual(table.document["total"], document["total"])

    def test_advice(self):
        trace = ROOT / "test/data/recordings/tf/calls/xplane.pb"
        table = mlir_prof.open(trace).advise()
        expected = ask("advise", trace)
        self.assertGreater(len(table), 0)
        self.assertEqual(table["rule"],
                         [item["rule"] for item in expected["advice"]])
        self.assertEqual(table.document["silent"], expected["silent"])

    def test_files(self):
        profile = self.folder / "run.mlprof"
        mlir_prof.run("import", TRACE, "-o", profile, model=MODEL,
                      allow_unmatched=True)
        copy = mlir_prof.open(mlir_prof.open(profile).save(self.folder / "copy.mlprof"))
        self.assertEqual(copy.path.read_bytes(), profile.read_bytes())
        self.assertEqual(copy.report().to_list(), self.profile.report().to_list())
        self.assertEqual(self.profile.annotate().count("prof.data"),
                         mlir_prof.run("annotate", MODEL, f"--profile={TRACE}",
                                       "--allow-unmatched", "-o",
                                       "-").count("prof.data"))
        path = self.profile.annotate(self.folder / "a.mlir", carrier="location")
        self.assertIn("prof.data", pathlib.Path(path).read_text())
        rows = list(csv.DictReader(io.StringIO(
            copy.export(self.folder / "t.csv", "csv").read_text())))
        self.assertGreater(len(rows), 0)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["a.mlir", "copy.mlprof", "run.mlprof", "t.csv"])

    def test_errors_are_the_tools(self):
        with self.assertRaisesRegex(FileNotFoundError, "none.mlprof: does not exist"):
            mlir_prof.open(self.folder / "none.mlprof")
        with self.assertRaisesRegex(mlir_prof.ToolError, "group 'nothing'|nothing") as raised:
            self.profile.report("nothing")
        self.assertEqual(raised.exception.code, 2)

    def test_a_profile_that_was_made_goes_with_its_object(self):
        made = mlir_prof.Profile.make(lambda path: mlir_prof.run(
            "import", TRACE, "-o", path))
        path = made.path
        with made:
            self.assertGreater(len(made.report()), 0)
        self.assertFalse(path.exists())
        self.assertFalse(path.parent.exists())


if __name__ == "__main__":
    unittest.main()
