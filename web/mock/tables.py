"""Tables of one profile, in the form of the service's analyzers."""

import re

import tool

SUBJECTS = ("op", "op-type", "location", "module-path", "source", "measured-op",
            "measured-op-type", "op-detail", "hlo-module", "kernel", "copy", "device",
            "stream", "wait", "event", "step", "step-trace", "loop", "chain", "call-tree",
            "value", "roofline", "split", "instance", "thread", "scope", "memory", "pipeline",
            "cluster", "link")


def table(profile, name, options=None):
    """Returns the analyzer `name` of `profile`, with the options of its address."""
    options = options or {}
    arguments = ["report", profile, f"--by={name}"]
    arguments += [f"--filter={condition}" for condition in options.get("filter", [])]
    if options.get("sort"):
        arguments.append("--sort=" + options["sort"][0])
    if options.get("level"):
        arguments.append("--level=" + options["level"][0])
    if options.get("all", ["0"])[0] == "1":
        arguments.append("--all")
    report = tool.document(*arguments)
    columns = report["columns"]
    rows = [[row.get(column["name"]) for column in columns] for row in report["rows"]]
    offset = int(options.get("offset", ["0"])[0])
    limit = int(options.get("limit", ["50"])[0])
    return {"name": name, "columns": columns, "rows": rows[offset:offset + limit],
            "matched": report["matched"], "total": report["matched"],
            "weight": report.get("weight"), "parents": None, "next": None, "notes": []}


def analyzers(profile):
    """Lists the analyzers, with those that the profile has data for marked."""
    result = []
    for name in SUBJECTS:
        title = name.replace("-", " ").capitalize()
        try:
            available, reason = table(profile, name)["total"] > 0, "Nothing was measured."
        except RuntimeError as error:
            available, reason = False, re.sub(r"^mlir-prof: error: ", "", str(error))
        result.append({"name": name, "title": title, "description": "",
                       "available": available, "reason": None if available else reason})
    return result


DIFF = (("op", "op", "text", None), ("name", "name", "text", None),
        ("verdict", "verdict", "text", None), ("before", "before", "time", "ps"),
        ("after", "after", "time", "ps"), ("change", "change", "time", "ps"),
        ("low", "at least", "time", "ps"), ("high", "at most", "time", "ps"))


def difference(before, after):
    """Returns the comparison of two profiles as a table."""
    report = tool.document("diff", before, after)
    columns = [{"name": name, "title": title, "kind": kind, "unit": unit}
               for name, title, kind, unit in DIFF]
    return {"name": "diff", "columns": columns, "matched": len(report["rows"]),
            "rows": [[row.get(name) for name, *_ in DIFF] for row in report["rows"]],
            "total": len(report["rows"]), "weight": None, "parents": None, "next": None,
            "notes": report["notes"], "before_ps": report["total"]["before"],
            "after_ps": report["total"]["after"], "verdict": report["total"]["verdict"]}


def query(profile, text):
    """Returns the answer of an SQL query as a table."""
    report = tool.document("query", profile, text)
    columns = report["columns"]
    return {"name": "query", "columns": columns, "matched": report["matched"],
            "rows": [[row.get(column["name"]) for column in columns] for row in report["rows"]],
            "total": report["matched"], "weight": None, "parents": None, "next": None, "notes": []}
