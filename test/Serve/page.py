"""usage: page.py TOOL PROFILE LAUNCHES

LAUNCHES is a recording in which events launch others. Checks the page in one file: its data, its size, and that no name ends its element.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from service import Service

TOOL, PROFILE, LAUNCHES = sys.argv[1:]
DATA = re.compile(r'<script type="application/json" id="profile-data">(.*?)</script>', re.DOTALL)


def write_page(path, *options, profile=PROFILE):
    subprocess.run([TOOL, "report", profile, "--format=html", "-o", path, *options], check=True)
    text = path.read_text(encoding="utf-8")
    found = DATA.findall(text)
    assert len(found) == 1 and "<" not in found[0]
    return len(text), json.loads(found[0])


def check_events(folder):
    """Events of the file have the op and the launch that the service tells."""
    _, data = write_page(folder / "launches.html", profile=LAUNCHES)
    timeline = next(answer for path, answer in data["answers"].items()
                    if path.endswith("/timeline"))
    keys = {key["index"]: key for key in timeline["keys"]}
    joined = sum(merged for layer in timeline["layers"] for merged in layer["merged"] if merged > 1)
    assert [f"{joined:,} events" in text for text in data["left_out"]] == [True] * bool(joined), data["left_out"]
    launched = with_key = 0
    with Service(TOOL, folder / "store") as service:
        profile = service.upload(pathlib.Path(LAUNCHES))["id"]
        for layer in timeline["layers"]:
            # The same number for each event, and some of many.
            for event, launch, key in list(zip(layer["id"], layer["launch"], layer["op"]))[::7]:
                if event < 0:
                    continue
                known = service.ask(f"/profiles/{profile}/timeline/events/{event}")
                assert [flow["id"] for flow in known["flows"] if flow["direction"] == "in"] == (
                    [launch] if launch >= 0 else []), known
                assert (known["key"] or {}).get("op") == keys.get(key, {}).get("op"), known
                assert known["ops"] == keys.get(key, {}).get("ops", []), known
                launched += launch >= 0
                with_key += key in keys
    assert launched and with_key, (launched, with_key)


with tempfile.TemporaryDirectory() as folder:
    size, data = write_page(pathlib.Path(folder) / "page.html")
    assert data["schema"] == "mlir-prof.page/1" and data["left_out"] == [] and size < 20e6
    answers = data["answers"]
    base = "profiles/" + answers["profiles"]["profiles"][0]["id"]
    report = json.loads(subprocess.check_output(
        [TOOL, "report", PROFILE, "--by=op", "--format=json"], stderr=subprocess.DEVNULL))
    table = answers[f"{base}/analyzers/op"]
    totals = [column["name"] for column in table["columns"]].index("total_ps")
    assert [row[totals] for row in table["rows"]] == [row["total_ps"] for row in report["rows"]]
    for level in answers[base]["levels"]:
        text = answers[f"{base}/modules/{level}"]
        assert len(text["lines"]) == text["lines_total"]
        # Levels with a module have a graph.
        assert level == "asm" or answers[f"{base}/graph?level={level}" if level != "input"
                                         else f"{base}/graph"]["nodes"], level
    # The hottest op of each level leads back to ops of the texts.
    shown = {level: answers[f"{base}/modules/{level}"]["ops"] for level in answers[base]["levels"]}
    pairs = answers[f"{base}/links"]["pairs"]
    for level in set(shown) - {"input"}:
        hottest = max(shown[level], key=lambda op: op["time_ps"])["op"]
        origins = {(part["to"], origin) for part in pairs if part["level"] == level
                   for op, origin in zip(part["ops"], part["origins"]) if op == hottest}
        assert origins & {(to, op["op"]) for to in shown for op in shown[to]}, level
    # All that does not fit is named.
    small, less = write_page(pathlib.Path(folder) / "small.html", "--max-size=1")
    assert small < 1.2e6
    assert len(less["answers"]) + len(less["left_out"]) >= len(answers)
    check_events(pathlib.Path(folder))
print("the page has its data")
