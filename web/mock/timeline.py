"""Events of one profile between two times, merged where a pixel holds several."""

import functools

import tool


@functools.cache
def events(profile):
    """Returns all events in order of begin, each with its depth on its track."""
    rows = tool.select(profile, "SELECT track, name, op, begin_ps, duration_ps FROM events "
                       "ORDER BY track, begin_ps, duration_ps DESC")
    ends = []
    track = None
    for number, row in enumerate(rows):
        if row["track"] != track:
            track, ends = row["track"], []
        while ends and ends[-1] <= row["begin_ps"]:
            ends.pop()
        row["id"], row["depth"] = number, len(ends)
        ends.append(row["begin_ps"] + row["duration_ps"])
    return rows


def tracks(profile):
    rows = tool.select(profile, "SELECT track, plane, display_name, events FROM tracks")
    deepest = {}
    for event in events(profile):
        deepest[event["track"]] = max(deepest.get(event["track"], 0), event["depth"] + 1)
    return [{"id": row["track"], "process": row["plane"], "name": row["display_name"],
             "depth": deepest.get(row["track"], 0), "count": row["events"]} for row in rows]


def window(profile, begin, end, pixels):
    """Returns the events that touch [begin, end), or of the whole recording."""
    every = events(profile)
    first = min((event["begin_ps"] for event in every), default=0)
    last = max((event["begin_ps"] + event["duration_ps"] for event in every), default=0)
    begin = first if begin is None else begin
    end = last if end is None else end
    width = max((end - begin) // max(pixels, 1), 1)
    numbers, layers = {}, {}
    for event in every:
        if event["begin_ps"] >= end or event["begin_ps"] + event["duration_ps"] < begin:
            continue
        key = event["track"], event["depth"]
        layer = layers.setdefault(key, {"track": key[0], "depth": key[1], "begin": [],
                                        "duration": [], "name": [], "op": [], "id": [],
                                        "merged": []})
        if (layer["begin"] and event["duration_ps"] < width and layer["duration"][-1] < width
                and event["begin_ps"] - layer["begin"][-1] < width):
            layer["merged"][-1] += 1
            continue
        layer["begin"].append(event["begin_ps"])
        layer["duration"].append(event["duration_ps"])
        layer["name"].append(numbers.setdefault(event["name"], len(numbers)))
        layer["op"].append(-1 if event["op"] is None else event["op"])
        layer["id"].append(event["id"])
        layer["merged"].append(1)
    return {"begin_ps": first, "end_ps": last, "tracks": tracks(profile),
            "layers": list(layers.values()), "names": list(numbers), "left_out": 0}


def sums(profile, begin, end, chosen):
    """Returns the sums by name of the events in a selection."""
    total = {}
    for event in events(profile):
        inside = min(event["begin_ps"] + event["duration_ps"], end) - max(event["begin_ps"], begin)
        if inside > 0 and (not chosen or event["track"] in chosen):
            entry = total.setdefault(event["name"], [event["name"], 0, 0])
            entry[1] += 1
            entry[2] += inside
    rows = sorted(total.values(), key=lambda row: -row[2])
    columns = [{"name": "name", "title": "name", "kind": "text"},
               {"name": "count", "title": "count", "kind": "count"},
               {"name": "time_ps", "title": "time", "kind": "time", "unit": "ps"}]
    return {"name": "sum", "columns": columns, "rows": rows[:200], "matched": len(rows),
            "total": len(rows), "parents": None, "next": None, "notes": [],
            "weight": {"column": "time_ps", "total": sum(row[2] for row in rows)}}


def event(profile, number):
    found = dict(events(profile)[number])
    owner = tool.select(profile, f"SELECT * FROM ops WHERE op = {found['op']}") \
        if found["op"] is not None else []
    return {**found, "owner": owner[0] if owner else None, "flows": []}


def search(profile, text, limit):
    found = [event for event in events(profile) if text.lower() in event["name"].lower()]
    return {"matched": len(found), "events": found[:limit]}
