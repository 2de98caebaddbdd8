"""usage: routes.py TOOL PROFILE RECORDING LAUNCHES OPENAPI

Asks each route of the service about a recording by mlir-prof and an uploaded one, and
compares the answers with the reports of the tool. LAUNCHES is a recording of a device.
"""

import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from service import Service

TOOL, PROFILE, RECORDING, LAUNCHES, OPENAPI = sys.argv[1], *map(pathlib.Path, sys.argv[2:6])


def report(path, *options):
    return json.loads(subprocess.check_output(
        [TOOL, "report", path, "--format=json", *options], stderr=subprocess.DEVNULL))


def same_table(table, expected):
    """Whether a table of the API has the columns and rows of a report."""
    shown = [i for i, column in enumerate(table["columns"]) if column["use"] != "text-only"]
    assert [table["columns"][i]["name"] for i in shown] == [
        column["name"] for column in expected["columns"]]
    rows = [[row[i] for i in shown] for row in table["rows"]]
    assert rows == [list(row.values()) for row in expected["rows"]], (rows, expected["rows"])
    assert table["matched"] == expected["matched"]


def check_lists(service, own, uploaded):
    profiles = service.ask("/profiles", sort="name")
    assert profiles["total"] == 2
    assert {each["id"] for each in profiles["profiles"]} == {own["id"], uploaded["id"]}
    assert service.ask("/profiles", search="FIRST")["profiles"][0]["id"] == uploaded["id"]
    assert service.ask("/profiles", label="none")["total"] == 0
    assert service.ask("/profiles", limit=1, offset=1)["total"] == 2
    changed = service.ask(f"/profiles/{own['id']}", method="PATCH",
                          body={"label": "<b>\x1b[31m=1+1", "commit": "abc"})
    assert changed["label"] == "<b>\x1b[31m=1+1" and changed["name"] == own["name"]
    assert service.ask("/profiles", commit="abc")["total"] == 1


def check_analyzers(service, profile, path):
    shown = service.ask(f"/profiles/{profile['id']}")
    assert shown["analyzers"]
    for analyzer in shown["analyzers"]:
        name = analyzer["name"]
        base = f"/profiles/{profile['id']}/analyzers/{name}"
        if not analyzer["available"]:
            assert analyzer["reason"]
            continue
        expected = report(path, f"--by={name}")
        table = service.ask(base, limit=1000)
        same_table(table, expected)
        pages = []
        after = None
        while True:
            page = service.ask(base, limit=2, **({"after": after} if after else {}))
            pages += page["rows"]
            after = page["next"]
            if after is None or len(pages) > 20:
                break
        assert pages == table["rows"][:len(pages)]
        assert service.ask(base, limit=2, offset=1)["rows"] == table["rows"][1:3]
    return shown


def check_queries(service, profile, path):
    base = f"/profiles/{profile['id']}/analyzers/op"
    same_table(service.ask(base, filter="count>=1", sort="count,-index", limit=3),
               report(path, "--by=op", "--filter=count>=1", "--sort=count,-index", "--top=3"))
    same_table(service.ask(base, all=1, limit=1000), report(path, "--by=op", "--all"))
    whole = service.ask(base, limit=1000)
    names = [column["name"] for column in whole["columns"]]
    groups = service.ask(base, group="op", limit=1000)
    same_table(groups, report(path, "--by=op", "--group=op"))
    of_op = names.index("op")
    assert {row[0] for row in groups["rows"]} == {row[of_op] for row in whole["rows"]}
    for name in ("count", "sole_ps", "total_ps"):
        column = [each["name"] for each in groups["columns"]].index(name)
        assert sum(row[column] for row in groups["rows"]) == sum(
            row[names.index(name)] for row in whole["rows"])
    for wrong in ({"filter": "nothing=1"}, {"sort": "nothing"}, {"group": "nothing"},
                  {"limit": 0}, {"limit": 1001}, {"limit": "x"}, {"offset": -1},
                  {"nothing": 1}, {"limit": [1, 2]}, {"level": "nothing"}):
        error = service.ask(base, 400, **wrong)
        assert error["code"] and error["message"], wrong
    assert service.ask(f"/profiles/{profile['id']}/analyzers/nothing", 404)["code"] == "no-analyzer"


def check_modules(service, profile, shown, path):
    base = f"/profiles/{profile['id']}/modules"
    levels = service.ask(base)["levels"]
    assert [level["name"] for level in levels] == shown["levels"]
    for level in levels:
        answer = service.ask(f"{base}/{level['name']}", count=20000)
        assert len(answer["lines"]) == answer["lines_total"] == level["lines"]
        table = report(path, "--by=op", f"--level={level['name']}")
        heat = {op["op"]: op["time_ps"] for op in answer["ops"] if op["time_ps"]}
        rows = {row["index"]: row["total_ps"] for row in table["rows"] if row["total_ps"]}
        assert heat.items() <= rows.items(), level
        if level["name"] != "asm":
            assert heat == rows, (level, heat, rows)
            text = answer["lines"]
            assert all(op["name"].split(".")[-1] in text[op["line"] - 1] or "=" in text[op["line"] - 1]
                       for op in answer["ops"]), level
        assert sum(line["time_ps"] for line in answer["heat"]) == sum(heat.values())
        part = service.ask(f"{base}/{level['name']}", begin=1, count=2)
        assert part["lines"] == answer["lines"][1:3]
    assert service.ask(f"{base}/nothing", 400)["message"]


def check_links(service, profile):
    """Links lead to and from: the hottest op of the input became each instruction that
    came from it."""
    base = f"/profiles/{profile['id']}/modules"
    ops = service.ask(f"{base}/input")["ops"]
    hottest = max(ops, key=lambda op: op["time_ps"])
    links = service.ask(f"{base}/input/ops/{hottest['op']}/links")
    assert links["from"] == []
    assert {link["level"] for link in links["became"]} >= {"llvm", "asm"}
    for level in ("llvm", "asm"):
        some = [link for link in links["became"] if link["level"] == level]
        assert abs(sum(link["share"] for link in some) - 1000000) <= len(some)
        best = max(some, key=lambda link: link["time_ps"])
        back = service.ask(f"{base}/{level}/ops/{best['op']}/links", to="input")
        assert hottest["op"] in [link["op"] for link in back["from"]], back
        assert {link["level"] for link in back["from"]} == {"input"}
    assert service.ask(f"{base}/input/ops/999999/links", 404)["code"] == "no-op"


def reach(steps, start):
    """All that can be reached from `start`."""
    found, waiting = set(), [start]
    while waiting:
        new = steps.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def check_pairs(service, profile, levels):
    """Followed from level to level, the pairs lead to the links of each op."""
    base = f"/profiles/{profile['id']}"
    origins, results = {}, {}
    for part in service.ask(f"{base}/links")["pairs"]:
        assert len(part["ops"]) == len(part["origins"]) > 0
        for op, origin in zip(part["ops"], part["origins"]):
            child, parent = (part["level"], op), (part["to"], origin)
            origins.setdefault(child, set()).add(parent)
            results.setdefault(parent, set()).add(child)
    assert {level for level, _ in origins} == set(levels) - {"input"}
    for level in levels:
        ops = service.ask(f"{base}/modules/{level}", count=20000)["ops"]
        for op in sorted(ops, key=lambda op: -op["time_ps"])[:5] + ops[::50]:
            links = service.ask(f"{base}/modules/{level}/ops/{op['op']}/links")
            for name, steps in (("from", origins), ("became", results)):
                expected = {(link["level"], link["op"]) for link in links[name]}
                assert reach(steps, (level, op["op"])) == expected, (level, op, name)


def check_timeline(service, profile, path):
    """Every event is in each window once, alone or merged; sums are those of the report."""
    base = f"/profiles/{profile['id']}/timeline"
    sums = service.ask(f"{base}/sum", limit=1000)
    count = sum(row[1] for row in sums["rows"])
    expected = {}
    for row in report(path, "--by=event")["rows"]:
        time, number = expected.get(row["name"], (0, 0))
        expected[row["name"]] = time + row["total_ps"], number + row["count"]
    assert {name: (time, number) for name, number, time in sums["rows"]} == expected
    for pixels in (1, 50, 1000, 16384):
        window = service.ask(base, pixels=pixels)
        assert sum(sum(lane["merged"]) for lane in window["layers"]) == count
        assert window["left_out"] == 0
        for lane in window["layers"]:
            assert lane["begin"] == sorted(lane["begin"])
            for merged, event in zip(lane["merged"], lane["id"]):
                assert (event >= 0) == (merged == 1) or event == -1
    half = (window["begin_ps"] + window["end_ps"]) // 2
    part = service.ask(base, begin_ps=window["begin_ps"], end_ps=half)
    assert 0 < sum(sum(lane["merged"]) for lane in part["layers"]) <= count
    name = sums["rows"][0][0]
    found = service.ask(f"{base}/search", q=name.upper())
    assert found["events"] and name in {event["name"] for event in found["events"]}
    event = service.ask(f"{base}/events/{found['events'][0]['id']}")
    assert event["begin_ps"] == found["events"][0]["begin_ps"]
    service.ask(f"{base}/events/4294967295", 404)
    service.ask(base, 400, begin_ps=2, end_ps=1)


def check_flows(service, recording):
    """A flow is seen from both of its ends."""
    profile = service.upload(recording)
    base = f"/profiles/{profile['id']}/timeline"
    other_way = {"in": "out", "out": "in"}
    found = service.ask(f"{base}/search", q="", limit=1000)["events"]
    flows = [(event["id"], flow) for event in found[:300]
             for flow in service.ask(f"{base}/events/{event['id']}")["flows"]]
    assert {flow["direction"] for _, flow in flows} == set(other_way)
    for event, flow in flows[::20]:
        back = service.ask(f"{base}/events/{flow['id']}")
        ways = {each["direction"] for each in back["flows"] if each["id"] == event}
        assert ways == {other_way[flow["direction"]]}
        assert all(back[name] == flow[name] for name in flow if name != "direction")
    service.ask(f"/profiles/{profile['id']}", method="DELETE")


def check_views(service, own, uploaded, path):
    base = f"/profiles/{own['id']}"
    flame = service.ask(f"{base}/flame", by="call-tree")
    tree = report(path, "--by=call-tree")["rows"]
    assert sorted(node["total_ps"] for node in flame["nodes"]) == sorted(
        row["total_ps"] for row in tree)
    assert sorted(node["self_ps"] for node in flame["nodes"]) == sorted(
        row["self_ps"] for row in tree)
    graph = service.ask(f"{base}/graph")
    assert graph["nodes"] and graph["edges"] and graph["width"] > 0
    assert all(0 <= node["x"] and node["x"] + node["w"] <= graph["width"] + 1
               for node in graph["nodes"])
    assert service.ask(f"/profiles/{uploaded['id']}/graph")["nodes"]
    rules = {rule["name"] for rule in service.ask("/rules")["rules"]}
    advice = service.ask(f"{base}/advice")
    named = json.loads(subprocess.check_output(
        [TOOL, "advise", path, "--format=json"], stderr=subprocess.DEVNULL))
    assert [each["rule"] for each in advice["advice"]] == [
        each["rule"] for each in named["advice"]]
    for each, other in zip(advice["advice"], named["advice"]):
        shown = " ".join((each["text"], each["next_step"], each["command"]))
        assert "{" not in shown, shown
        assert [rows["analyzer"] for rows in each["evidence"]][:len(other["evidence"])] == [
            rows["report"] for rows in other["evidence"]]
        for rows in each["evidence"]:
            assert service.ask(f"{base}/analyzers/{rows['analyzer']}",
                               filter=rows["filter"])["matched"], rows
    assert rules == ({each["rule"] for each in advice["advice"]} | set(advice["silent"])
                     | set(advice["without_data"]))
    rows = service.ask(f"{base}/query", method="POST",
                       body={"sql": "SELECT count(*) AS n, 'x' AS t FROM ops"})
    assert [column["name"] for column in rows["columns"]] == ["n", "t"]
    for sql in ("DELETE FROM ops", "SELECT load_extension('x')", "ATTACH 'x' AS y", "SELECT",
                "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i FROM r) SELECT sum(i) FROM r"):
        assert service.ask(f"{base}/query", 400, "POST", {"sql": sql})["message"], sql
    same = service.ask("/diff", before=own["id"], after=own["id"])
    assert same["before_ps"] == same["after_ps"] and same["rows"] == []
    history = service.ask("/history", model=own["model"])
    assert [point["id"] for point in history["points"]] == [own["id"]]
    exported = service.request("GET", f"/api/v1{base}/export?format=folded")
    assert exported[0] == 200 and exported[2]


def check_caching(service):
    path = "/api/v1/openapi.json"
    _, headers, body = service.request("GET", path)
    status, _, empty = service.request("GET", path, headers={"If-None-Match": headers["ETag"]})
    assert (status, empty) == (304, b"")
    _, headers, packed = service.request("GET", path, headers={"Accept-Encoding": "gzip"})
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == body
    # A part of an answer that is made anew may not fit to another part.
    status, headers, whole = service.request("GET", path, headers={"Range": "bytes=0-9"})
    assert (status, whole) == (200, body) and "Content-Range" not in headers


def check_description(service):
    text = service.request("GET", "/api/v1/openapi.json")[2].decode()
    assert text == OPENAPI.read_text(), "docs/schemas/openapi.json is not that of the routes"
    description = json.loads(text)
    assert description["openapi"].startswith("3.1")
    # Each route that is described exists, and other methods do not.
    for path, methods in description["paths"].items():
        asked = path.replace("{id}", "0").replace("{name}", "op").replace("{level}", "input")
        for method in ("get", "post", "patch", "delete", "put"):
            status = service.request(method.upper(), "/api/v1" + asked.replace("{op}", "1")
                                     .replace("{event}", "1"))[0]
            assert (status == 405) != (method in methods), (method, path, status)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "store"
        folder.mkdir()
        shutil.copy(PROFILE, folder / "own.mlprof")
        with Service(TOOL, folder) as service:
            own = service.ask("/profiles")["profiles"][0]
            uploaded = service.upload(RECORDING, label="first", name="jax")
            assert uploaded["state"] == "ready" and uploaded["name"] == "jax"
            again = service.upload(RECORDING, status=200)
            assert again == uploaded
            # A profile is kept as it is.
            assert service.upload(PROFILE, status=200)["id"] == own["id"]
            check_lists(service, own, uploaded)
            shown = check_analyzers(service, own, folder / "own.mlprof")
            check_queries(service, own, folder / "own.mlprof")
            stored = service.request("GET", f"/api/v1/profiles/{uploaded['id']}/download")[2]
            copy = pathlib.Path(scratch) / "copy.mlprof"
            copy.write_bytes(stored)
            check_analyzers(service, uploaded, copy)
            check_modules(service, own, shown, folder / "own.mlprof")
            check_links(service, own)
            check_pairs(service, own, shown["levels"])
            check_timeline(service, uploaded, copy)
            check_flows(service, LAUNCHES)
            check_views(service, own, uploaded, folder / "own.mlprof")
            check_caching(service)
            check_description(service)
            assert service.ask("/health")["status"] == "ready"
            service.ask(f"/profiles/{uploaded['id']}", method="DELETE")
            service.ask(f"/profiles/{uploaded['id']}", 404)
        # The store keeps what was changed.
        with Service(TOOL, folder) as service:
            profiles = service.ask("/profiles")
            assert profiles["total"] == 1 and profiles["profiles"][0]["commit"] == "abc"
    print("the routes answer as the tool does")


main()
