# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peak memory of a process that loads and runs a model."""

import os

from cases import common, get_peers, make_case, players, summarize

import peers


def measure_memory(options, problem, threads, folder):
    case = make_case(problem, options.form)
    saved = os.path.join(folder, f"{problem.name}.o")
    code, _, error = common.tool(
        options.tool, "record", case.path, "--mode=time", "--iterations=1",
        f"--threads={threads}", f"--save-object={saved}", *case.options,
        check=False)
    if code:
        print(f"mlir-prof: {error.strip()[:200]}")
        return dict(figures={}, absent={peers.IMAGE: error})
    makers = get_peers(options, problem, threads, folder)
    makers[peers.IMAGE] = lambda: players.PeerProcess(
        peers.IMAGE, problem, threads, folder)
    values, absent = {}, {}
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
        if name != peers.IMAGE:
            values[f"{name} beyond its package"] = [
                peak - memory["loaded"]["peak"]]
    return summarize(values, {"onnxruntime"}, absent, "MB", 1e6)
