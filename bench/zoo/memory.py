# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peak memory of a process that loads and runs a model."""

import os

from cases import common, get_peers, make_case, players, summarize

import peers
import peers.image


def save_images(options, problem, case, threads, folder):
    """The players of the tool's saved objects, one for each pipeline, and why
    others are absent."""
    makers, absent = {}, {}
    for pipeline in options.pipelines.split(","):
        name = f"{peers.IMAGE} {pipeline}"
        place = os.path.join(folder, pipeline)
        os.makedirs(place, exist_ok=True)
        saved = os.path.join(place, f"{problem.name}.o")
        os.symlink(os.path.abspath(os.path.join(
            os.path.dirname(options.tool), "..", "lib", peers.image.RUNTIME)),
            os.path.join(place, peers.image.RUNTIME))
        code, _, error = common.tool(
            options.tool, "record", case.path, "--mode=time",
            "--iterations=1", f"--threads={threads}",
            f"--pipeline={pipeline}", f"--save-object={saved}", *case.options,
            check=False)
        if code:
            absent[name] = error.strip()
        else:
            makers[name] = lambda place=place: players.PeerProcess(
                peers.IMAGE, problem, threads, place)
    return makers, absent


def measure_memory(options, problem, threads, folder):
    case = make_case(problem, options.form)
    makers, absent = save_images(options, problem, case, threads, folder)
    makers = {**get_peers(options, problem, threads, folder), **makers}
    values = {}
    for name, start in makers.items():
        try:
            peer = start()
        except (players.Failed, peers.Missing) as failure:
            absent[name] = str(failure)
            continue
        peer.close()
        memory = peer.facts["memory"]
        peak = memory["ready"]["peak"]
        values[name] = [peak - memory["empty"]["peak"]]
        if not name.startswith(peers.IMAGE):
            values[f"{name} beyond its package"] = [
                peak - memory["loaded"]["peak"]]
    return summarize(values, {"onnxruntime"}, absent, "MB", 1e6)
