"""Modules of one profile by level, with the lines of their ops and links between them."""

import functools
import re

import tool

NAME = re.compile(r"^(?:%[\w:, %#]+ = )?\"?([a-z_][\w.]*)")


@functools.cache
def instructions(profile):
    return tool.select(profile, "SELECT instruction, node, text, time_ps FROM instructions "
                       "WHERE program = 0 ORDER BY offset")


@functools.cache
def nodes(profile, level):
    if level == "asm":
        return [{"node": -1 - row["instruction"], "mlir": row["instruction"], "kind": "instruction", "name": row["text"],
                 "op": row["text"].split()[0], "total_ps": row["time_ps"]}
                for row in instructions(profile)]
    rows = tool.select(profile, "SELECT node, mlir, kind, op, name, location, total_ps FROM nodes "
                       f"WHERE level = '{level}' AND program = 0 ORDER BY node")
    if rows or level != "input":
        return rows
    try:
        report = tool.document("report", profile, "--by=op", "--all")
    except RuntimeError:
        return []
    return [{"node": row["index"], "mlir": row["index"], "kind": "operation", "op": row["op"],
             "name": row["location"], "location": row["location"], "total_ps": row["total_ps"]}
            for row in sorted(report["rows"], key=lambda row: row["index"])]


@functools.cache
def lines(profile, level):
    if level == "asm":
        return ["  " + row["text"] for row in instructions(profile)]
    text = tool.run("annotate", profile, f"--level={level}", "--carrier=location", "-o", "-")
    kept = [line for line in text.splitlines() if line and not line.startswith("#loc")]
    return [re.sub(r" loc\((#loc\d*|unknown)\)$", "", line) for line in kept]


@functools.cache
def placed(profile, level):
    """Returns the line of each node, by following the names of ops through the text."""
    rows = nodes(profile, level)
    if level == "asm":
        return {row["node"]: number + 1 for number, row in enumerate(rows)}
    result, at = {}, 0
    for number, line in enumerate(lines(profile, level), 1):
        match = NAME.match(line.strip())
        if not match:
            continue
        for skip in range(at, min(at + 12, len(rows))):
            if rows[skip]["op"] in (match[1], "func." + match[1]):
                result[rows[skip]["node"]] = number
                at = skip + 1
                break
    return result


def levels(profile):
    rows = tool.select(profile, "SELECT level, nodes, total_ps FROM levels WHERE program = 0 "
                       "ORDER BY number")
    names = [row["level"] for row in rows] or (["input"] if nodes(profile, "input") else [])
    return {"levels": [{"name": name, "lines": len(lines(profile, name)),
                        "ops": len(nodes(profile, name)),
                        "time_ps": sum(row["total_ps"] or 0 for row in nodes(profile, name)
                                       if row["kind"] in ("operation", "instruction"))}
                       for name in names]}


def ends_of(text):
    """Returns, by the line that opens a region, the line of the brace that closes it."""
    ends, waiting = {}, []
    for number, line in enumerate(text, 1):
        if line.strip().startswith("}") and waiting:
            ends[waiting.pop()] = number
        if line.endswith("{"):
            waiting.append(number)
    return ends


def module(profile, level, begin=0, count=None):
    text, at = lines(profile, level), placed(profile, level)
    ops, heat, ends = [], {}, ends_of(text)
    total = sum(row["total_ps"] or 0 for row in nodes(profile, level)) or 1
    for row in nodes(profile, level):
        if row["node"] not in at or row["mlir"] is None:
            continue
        line = at[row["node"]]
        time = row["total_ps"] or 0
        ops.append({"op": row["mlir"], "line": line, "end_line": ends.get(line, line), "time_ps": time,
                    "name": row["op"] or row["name"]})
        heat[line] = heat.get(line, 0) + time
    end = len(text) if count is None else begin + count
    return {"level": level, "lines_total": len(text), "lines": text[begin:end], "ops": ops,
            "heat": [{"line": line, "time_ps": time, "share": time * 1000000 // total}
                     for line, time in heat.items() if time]}


@functools.cache
def origins(profile):
    up, down = {}, {}
    pairs = tool.select(profile, "SELECT node, origin FROM node_origins WHERE program = 0")
    pairs = pairs + [{"node": -1 - row["instruction"], "origin": row["node"]}
                     for row in instructions(profile)]
    for row in pairs:
        up.setdefault(row["node"], []).append(row["origin"])
        down.setdefault(row["origin"], []).append(row["node"])
    return up, down


def pairs(profile):
    """Returns, by level and level of the origin, the ops and their origins."""
    level_of = {row["node"]: (level["name"], row["mlir"]) for level in levels(profile)["levels"]
                for row in nodes(profile, level["name"])}
    found = {}
    for node, parents in origins(profile)[0].items():
        for origin in parents:
            if node in level_of and origin in level_of:
                key = level_of[node][0], level_of[origin][0]
                entry = found.setdefault(key, {"level": key[0], "to": key[1], "ops": [],
                                               "origins": []})
                entry["ops"].append(level_of[node][1])
                entry["origins"].append(level_of[origin][1])
    return {"pairs": list(found.values())}


def reach(start, step):
    found, todo = set(), [start]
    while todo:
        for other in step.get(todo.pop(), []):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def links(profile, level, op, to):
    up, down = origins(profile)
    where = {row["node"]: row for row in nodes(profile, to)}
    at = placed(profile, to)

    def answer(found):
        return [{"level": to, "op": where[node]["mlir"], "line": at[node], "share": None}
                for node in sorted(found) if node in where and node in at]
    start = next(row["node"] for row in nodes(profile, level) if row["mlir"] == op)
    return {"from": answer(reach(start, up)), "became": answer(reach(start, down))}
