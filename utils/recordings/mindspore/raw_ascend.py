# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the raw files of an Ascend device as the releases of MindSpore lay them out.

The layouts: "r05" and "r13" (training_trace, text), "ge" (names and numbers of the older
graph engine), "r15" (ts_track, text), "r16" and "r110" (records, with both senses of the
flag of names). Their content comes from raw_model.py.
"""

import struct

TEXT = ("r05", "r13", "ge", "r15")
MAGIC = 0x5A5A
F16 = {"r05": 39, "r13": 43, "ge": 1, "r15": 43, "r16": 242, "r110": 42}


def hwts_record(count, kind, stream, task, ticks):
    return struct.pack("<BBHHHQI44x", (count % 16) << 4 | kind, 0, 0x6BD3, 0, task,
                       ticks, stream)


def hwts(model):
    """The log, without the records that the driver lost."""
    records = []
    for count, (kind, stream, task, ticks) in enumerate(model.log):
        if count not in model.lost:
            records.append(hwts_record(count, kind, stream, task & 0xFFFF, ticks))
    return b"".join(records)


def mix(text, size, layout, hashes):
    """A name, or its hash if it is too long; releases differ in the flag."""
    data = text.encode()
    is_hash = len(data) >= size - 8
    flag = int(is_hash) if layout == "r16" else int(not is_hash)
    if is_hash:
        number = hash_of(text)
        hashes[number] = text
        data = struct.pack("<Q", number)
    return struct.pack("<B7x", flag) + data.ljust(size - 8, b"\0")


def hash_of(text):
    number = 0xCBF29CE484222325
    for byte in text.encode():
        number = ((number ^ byte) * 0x100000001B3) & (1 << 64) - 1
    return number


def task_records(model, layout):
    hashes = {}
    types = {"AI_CORE": 0, "AI_CPU": 1, "HCCL": 10, "RTS": 11}
    tasks = b""
    for op, stream, task in model.tasks:
        tasks += struct.pack("<HHI", MAGIC, 23, types[op.processor])
        tasks += mix(op.name, 128, layout, hashes) + mix(op.type, 64, layout, hashes)
        tasks += struct.pack("<QQIIIIII16x", 0, 0, 0, 8, 7, stream, task, 0)
    lines = "".join(f"{number}:{name}\n" for number, name in hashes.items())
    return tasks, lines.encode()


def tensor_records(model, layout):
    data = b""
    for op, stream, task in model.tasks:
        tensors = [(0, shape) for shape in op.inputs] + [(1, op.output)]
        for first in range(0, len(tensors), 5):
            part = tensors[first:first + 5]
            record = struct.pack("<HHIQIIB3x", MAGIC, 24, 7, 0, stream, task, len(part))
            for is_output, shape in part:
                dims = list(shape) + [0] * (8 - len(shape))
                record += struct.pack("<III8I", is_output, 1, F16[layout], *dims)
            data += record.ljust(256, b"\0")
    return data


def step_records(model):
    return b"".join(
        struct.pack("<HHIIIQQIB27x", MAGIC, 25, 7, stream, task, 0, 0, 0, tag)
        for tag, (stream, task) in model.marks.items() if tag < 10000)


def framework_text(model, layout):
    graph = "graph_1 " if layout == "ge" else ""
    tasks = "".join(f"{graph}{op.name} 8 {task} {stream}\n"
                    for op, stream, task in model.tasks if op.processor != "RTS")
    rows = ""
    for op in model.ops:
        def tensor(kind, number, shape):
            form = 2 if layout == "ge" else "DefaultFormat"
            text = ",".join(map(str, shape))
            return (f' {kind}_id:{number} {kind}_format:{form}'
                    f' {kind}_data_type:{F16[layout]} {kind}_shape:"{text}"')
        rows += f"op_name:{op.name} op_type:{op.type}"
        rows += "".join(tensor("input", i, s) for i, s in enumerate(op.inputs))
        rows += tensor("output", 0, op.output) + "\n"
    return tasks.encode(), rows.encode()


def point_text(model, layout):
    numbers = {2: 1, 3: 2, 4: 255} if layout != "r15" else {}
    lines = ""
    for tag, name in model.points.items():
        number = numbers.get(tag, tag)
        if layout != "r15" and tag >= 10000:
            number = tag - 10000 + 3
        lines += f"{number} {name}\n"
    return lines.encode()


def training_trace(model, layout):
    """Records of 20 bytes; collectives begin with odd tags."""
    end = 255 if layout == "r05" else 65535
    data = struct.pack("<QHHQ", 70000, 2, 5, model.trace[0][3] - 50)
    for tag, stream, task, ticks in model.trace:
        number = {2: 1, 3: 2, 4: end}.get(tag, tag - 10000 + 3)
        data += struct.pack("<QHHQ", number, task & 0xFFFF, stream, ticks)
    return data


def ts_track(model):
    data = struct.pack("<BBHIQQQHHHH", 0, 10, 40, 0, model.trace[0][3] - 50, 0, 7, 5, 9, 0,
                       0)
    for tag, stream, task, ticks in model.trace:
        data += struct.pack("<BBHIQQQHHHH", 0, 10, 40, 0, ticks, 0, 7, stream,
                            task & 0xFFFF, tag, 0)
    return data


def aicpu_text(model, layout):
    data = ""
    for run in model.aicpu:
        if layout == "r05":
            times = f"Run tart:{run.begin}, Run end:{run.end}"
        else:
            times = (f"Run start:{run.begin_us} {run.begin}, "
                     f"Run end:{run.begin_us + run.execution_us} {run.end}")
        data += f"[1] Node:{run.node}, {times}\n\0"
        data += (f"Thread[ 0] process device[0]:kernelType[ 1] task end, "
                 f"submitTick={run.begin - 900},scheduleTick={run.begin - 700}, "
                 f"tickBeforeRun={run.begin - 90},tickAfterRun={run.end + 60}, "
                 f"dispatchTime={run.dispatch_us} us, totalTime={run.total_us} us.\0")
    return ("Create session ok\0" + data).encode()


def aicpu_records(model):
    data = b""
    for run in model.aicpu:
        us = run.begin_us
        data += struct.pack(
            "<HHHHQQQQQQQIIQQQQIIIHB9x", MAGIC, 60, run.stream, run.task & 0xFFFF, us,
            run.begin, us + 1, us + 1 + run.compute_us,
            us + 1 + run.compute_us + run.memcpy_us, us + run.execution_us, run.end, 4, 0,
            run.begin - 900, run.begin - 700, run.begin - 90, run.end + 60, 1,
            run.dispatch_us, run.total_us, 0xFFFF, 0)
    return data


def pmu(model):
    data = b""
    for count, (stream, task, counters) in enumerate(model.pmu):
        data += struct.pack("<BBHHHII10Q8I", count % 16 << 4, 0, 0x6BD3, 0, task & 0xFFFF,
                            0, 0, 1000, 0, *counters, stream, *[0] * 7)
    return data


def names(layout):
    """The beginnings of names, before ".DEVICE.slice_N"."""
    if layout in ("r05", "r13", "ge"):
        host = "Framework.host." + ("" if layout == "ge" else "vm_")
        return {"hwts": "hwts.log.data.45.dev.profiler_default_tag",
                "trace": "training_trace.46.dev.profiler_default_tag",
                "aicpu": "DATA_PREPROCESS.dev.AICPU", "framework": host}
    vm = "Framework." + ("vm_" if layout == "r15" else "")
    return {"hwts": "hwts.data", "trace": "ts_track.data",
            "aicpu": "DATA_PREPROCESS.AICPU", "framework": vm}


def files(model, layout):
    """The content of each file by its name up to the device."""
    known = names(layout)
    framework = known["framework"]
    result = {known["hwts"]: hwts(model)}
    if layout in TEXT:
        tasks, graph = framework_text(model, layout)
        result[framework + "task_desc_info"] = tasks
        result[framework + "graph_desc_info"] = graph
        result[framework + "point"] = point_text(model, layout)
        result[known["aicpu"]] = aicpu_text(model, layout)
    else:
        tasks, hashes = task_records(model, layout)
        result[framework + "task_desc_info"] = tasks
        result[framework + "hash_dic"] = hashes
        result[framework + "tensor_data_info"] = tensor_records(model, layout)
        result[framework + "step_info"] = step_records(model)
        result[known["aicpu"]] = aicpu_records(model)
    if layout in ("r05", "r13", "ge"):
        result[known["trace"]] = training_trace(model, layout)
    else:
        result[known["trace"]] = ts_track(model)
        result["aicore.data"] = pmu(model)
    return {name: data for name, data in result.items() if data}
