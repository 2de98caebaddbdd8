"""The graph and the flame of one profile."""

import re
import xml.etree.ElementTree as ET

import tables
import tool

SPACE = "{http://www.w3.org/2000/svg}"


def tree(profile, by):
    """Returns a tree of module paths, or of calls, with self and total time."""
    answer = tables.table(profile, by, {"limit": ["100000"]})
    names = [column["name"] for column in answer["columns"]]
    paths = {row[names.index("key")]: row[names.index("total_ps")] for row in answer["rows"]}
    nodes, numbers = [], {}
    for path in sorted(paths):
        parent = path.rpartition("/")[0]
        numbers[path] = len(nodes)
        nodes.append({"name": path.rpartition("/")[2] or path, "parent": numbers.get(parent),
                      "self_ps": paths[path], "total_ps": paths[path]})
        if parent in numbers:
            nodes[numbers[parent]]["self_ps"] -= paths[path]
    return {"nodes": nodes, "total_ps": sum(node["total_ps"] for node in nodes
                                            if node["parent"] is None)}


def graph(profile, level):
    """Returns the boxes of the dataflow graph in layers by their longest way."""
    arguments = ["graph", profile, "--format=graphml", "-o", "-"]
    if level:
        arguments.append(f"--level={level}")
    root = ET.fromstring(tool.run(*arguments))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    boxes, edges, rank = {}, [], {}
    for item in root.iter(space + "node"):
        data = {part.get("key"): part.text for part in item.iter(space + "data")}
        boxes[item.get("id")] = data
    for item in root.iter(space + "edge"):
        edges.append((item.get("source"), item.get("target")))
    for _ in range(len(boxes)):
        changed = False
        for source, target in edges:
            if rank.get(target, 0) <= rank.get(source, 0) < len(boxes):
                rank[target] = rank.get(source, 0) + 1
                changed = True
        if not changed:
            break
    rows, nodes, place = {}, [], {}
    numbers = {name: number for number, name in enumerate(boxes)}
    for name, data in boxes.items():
        column = rows.setdefault(rank.get(name, 0), [])
        place[name] = (20 + len(column) * 200, 20 + rank.get(name, 0) * 80)
        column.append(name)
        nodes.append({"id": numbers[name], "label": data["name"], "detail": data.get("detail") or "",
                      "op": int(re.sub(r"\D", "", name) or 0), "x": place[name][0],
                      "y": place[name][1], "w": 180, "h": 44,
                      "time_ps": int(data.get("duration_ps") or 0),
                      "share": int(data.get("share_ppm") or 0),
                      "on_critical_path": data.get("critical") == "true",
                      "group": None})
    lines = [{"from": numbers[a], "to": numbers[b], "bytes": None,
              "points": [[place[a][0] + 90, place[a][1] + 44], [place[b][0] + 90, place[b][1]]]}
             for a, b in edges]
    return {"nodes": nodes, "edges": lines, "groups": [],
            "width": max((x for x, _ in place.values()), default=0) + 200,
            "height": max((y for _, y in place.values()), default=0) + 64}
