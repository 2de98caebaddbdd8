"""Answers of the service's API, made from mlir-prof's documents of a folder of profiles."""

import pathlib
import urllib.parse

import graphs
import modules
import tables
import timeline
import tool


def by_op(path):
    """Returns the report of ops, or that of measured ops for a profile without a module."""
    try:
        return tool.document("report", str(path), "--by=op")
    except RuntimeError:
        return tool.document("report", str(path), "--by=measured-op")


def summary(path):
    report = tool.document("report", str(path), "--by=measured-op", "--top=1")
    runs = tool.select(str(path), "SELECT * FROM runs")
    coverage = by_op(path).get("coverage")
    measured = coverage and coverage["op_time_ps"]
    first = runs[0] if runs else {}
    return {"id": path.stem, "name": path.stem, "label": "", "producer": first.get("producer"),
            "model": pathlib.Path(first.get("source") or path.stem).stem, "commit": None,
            "machine": first.get("host"), "recorded_at": None, "uploaded_at": None,
            "bytes": path.stat().st_size, "state": "ready", "error": None,
            "events": sum(track["count"] for track in timeline.tracks(str(path))),
            "time_ps": (report.get("weight") or {}).get("total"),
            "coverage": 1 - coverage["unmatched_ps"] / measured if measured else None}


def detail(path):
    report = by_op(path)
    coverage = report.get("coverage")
    unmatched = tool.select(str(path), "SELECT reason, sum(part_ps) AS time_ps FROM matches "
                            "WHERE mlir IS NULL AND reason IS NOT NULL GROUP BY reason")
    return {**summary(path), "analyzers": tables.analyzers(str(path)),
            "levels": [level["name"] for level in modules.levels(str(path))["levels"]],
            "runs": report.get("runs", []),
            "coverage": coverage and {"op_ps": coverage["op_time_ps"], **coverage},
            "unmatched": unmatched,
            "losses": [{"text": loss["name"], **loss} for loss in report["losses"]]}


def advice(path):
    report = tool.document("advise", str(path))
    return {"advice": [{"rule": item["rule"], "title": item["rule"].replace("-", " ").capitalize(),
                        "text": "; ".join(f"{subject['name']} {subject.get('location') or ''}"
                                          for subject in item["subjects"][:4]),
                        "severity": item["gain_ppm"], "gain_ps": item["gain_ps"],
                        "command": item.get("command"), "evidence": []}
                       for item in report["advice"]]}


def history(paths, model):
    points = []
    for path in paths:
        for run in by_op(path).get("runs", []) if summary(path)["model"] == model else []:
            points.append({"id": path.stem, "commit": None, "recorded_at": None,
                           "median_ps": run.get("median_ps"), "low_ps": run.get("min_ps"),
                           "high_ps": run.get("mean_ps")})
    return {"points": points, "changes": []}


def number(options, name, default=None):
    return int(options[name][0]) if name in options else default


def of_profile(path, parts, options):
    """Returns the answer of `parts`, the address below one profile."""
    profile = str(path)
    match parts:
        case []:
            return detail(path)
        case ["analyzers", name]:
            return tables.table(profile, name, options)
        case ["timeline"]:
            return timeline.window(profile, number(options, "begin_ps"),
                                   number(options, "end_ps"), number(options, "pixels", 1000))
        case ["timeline", "sum"]:
            chosen = [int(track) for track in options.get("tracks", [""])[0].split(",") if track]
            return timeline.sums(profile, number(options, "begin_ps"),
                                 number(options, "end_ps"), chosen)
        case ["timeline", "search"]:
            return timeline.search(profile, options["q"][0], number(options, "limit", 100))
        case ["timeline", "events", event]:
            return timeline.event(profile, int(event))
        case ["flame"]:
            return graphs.tree(profile, options.get("by", ["module-path"])[0])
        case ["graph"]:
            return graphs.graph(profile, options.get("level", [None])[0])
        case ["modules"]:
            return modules.levels(profile)
        case ["links"]:
            return modules.pairs(profile)
        case ["modules", level]:
            return modules.module(profile, level, number(options, "begin", 0),
                                  number(options, "count"))
        case ["modules", level, "ops", op, "links"]:
            return modules.links(profile, level, int(op), options["to"][0])
        case ["advice"]:
            return advice(path)
    raise KeyError("/".join(parts))


def answer(folder, address):
    """Returns the answer of `address`, which begins below /api/v1/."""
    split = urllib.parse.urlsplit(address)
    options = urllib.parse.parse_qs(split.query)
    parts = [urllib.parse.unquote(part) for part in split.path.strip("/").split("/")]
    paths = {path.stem: path for path in sorted(pathlib.Path(folder).glob("*.mlprof"))}
    match parts:
        case ["profiles"]:
            found = [summary(path) for name, path in paths.items()
                     if options.get("search", [""])[0] in name]
            return {"profiles": found, "total": len(found)}
        case ["rules"]:
            return {"rules": []}
        case ["history"]:
            return history(paths.values(), options["model"][0])
        case ["diff"]:
            return tables.difference(*(str(paths[options[side][0]]) for side in ("before", "after")))
        case ["profiles", name, *rest]:
            return of_profile(paths[name], rest, options)
    raise KeyError(address)
