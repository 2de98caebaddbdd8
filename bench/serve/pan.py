#!/usr/bin/env python3
# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intervals of frames while the timeline pans, in Chromium without a GPU.

A trace of nested events on several threads is imported and served. The page shows a
part of it with `--boxes` rectangles, and a pointer drags it to and fro over several
widths of the screen, so that the page also asks for new windows. Prints percentiles of
the intervals between frames; the exit code is 1 if the 95th percentile is above `--most`
ms.

    bench/serve/pan.py --tool build/bin/mlir-prof [--boxes 20000] [--frames 300]

Needs playwright and Debian's chromium.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

THREADS = 10
DEPTH = 4
# The trace is that many times as long as the part in view.
SCREENS = 8
PERIOD_US = 2

DRAG = """async ([frames, step]) => {
  const canvas = document.querySelector('main canvas');
  const box = canvas.getBoundingClientRect();
  canvas.setPointerCapture = () => undefined;
  const send = (kind, x) => canvas.dispatchEvent(new PointerEvent(kind,
    { clientX: x, clientY: box.y + 300, pointerId: 1, bubbles: true, buttons: 1 }));
  const frame = () => new Promise(requestAnimationFrame);
  const intervals = [];
  let [x, last] = [box.x + box.width / 2, await frame()];
  send('pointerdown', x);
  for (let count = 0; count < frames; ++count) {
    // To the one side, then a part of the way back.
    x += count < frames * 2 / 3 ? -step : step;
    send('pointermove', x);
    const now = await frame();
    intervals.push(now - last);
    last = now;
  }
  send('pointerup', x);
  return intervals;
}"""


def write_trace(path, columns):
    events = []
    for thread in range(THREADS):
        for column in range(columns):
            for depth in range(DEPTH):
                events.append({
                    "ph": "X", "pid": 1, "tid": thread, "name": f"op_{(column * 7 + depth) % 50}.dot",
                    "ts": column * PERIOD_US + depth * 0.02,
                    "dur": PERIOD_US * 0.9 - depth * 0.04})
    path.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]


def measure(address, profile, options, columns):
    visible_ps = columns * PERIOD_US * 10**6
    begin = visible_ps * (SCREENS // 2)
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=options.chromium,
                                         args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        windows = []
        page.on("response", lambda reply: "/timeline?" in reply.url and windows.append(reply.url))
        page.goto(f"{address}#/p/{profile}/timeline?range={begin}_{begin + visible_ps}")
        page.wait_for_selector("main canvas")
        page.wait_for_load_state("networkidle")
        before = page.url
        intervals = page.evaluate(DRAG, [options.frames, options.step])
        page.wait_for_timeout(500)
        if page.url == before:
            raise SystemExit("the timeline did not move")
        browser.close()
    return intervals, len(windows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/bin/mlir-prof")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--boxes", type=int, default=20000, help="rectangles in view")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--step", type=int, default=18, help="pixels to move in each frame")
    parser.add_argument("--most", type=float, default=33, help="largest 95th percentile, ms")
    options = parser.parse_args()
    columns = options.boxes // (THREADS * DEPTH)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        store = folder / "store"
        store.mkdir()
        write_trace(folder / "trace.json", columns * SCREENS)
        subprocess.run([options.tool, "import", folder / "trace.json", "--keep-events",
                        "--allow-unmatched", "-o", store / "trace.mlprof"],
                       check=True, capture_output=True)
        server = subprocess.Popen([options.tool, "serve", store], stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().strip()
            reply = subprocess.run(["curl", "-s", f"{address}api/v1/profiles"], check=True,
                                   capture_output=True, text=True)
            profile = re.search(r'"id":"(\w+)"', reply.stdout)[1]
            intervals, windows = measure(address, profile, options, columns)
        finally:
            server.terminate()
            server.wait()
    figures = {name: round(percentile(intervals, percent), 1)
               for name, percent in (("p50", 50), ("p95", 95), ("p99", 99), ("max", 100))}
    print(json.dumps({"boxes": options.boxes, "frames": len(intervals), "windows": windows,
                      "interval_ms": figures}))
    return figures["p95"] > options.most


if __name__ == "__main__":
    sys.exit(main())
