# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""XLA: thunks, their asynchronous completion, and the ops of their members."""

import bisect
import collections
import os
import re

# Instructions that do no work of their own.
FREE = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast"}
CALLING = ("fusion", "call")

# xla.PrimitiveType as MLIR writes it.
ELEMENT_TYPES = {1: "i1", 4: "i32", 5: "i64", 8: "ui32", 10: "f16", 11: "f32",
                 12: "f64", 16: "bf16"}

# HLO opcodes whose StableHLO name is not the same with '_' for '-'.
OPCODES = {"dot": {"dot_general", "dot"},
           "broadcast": {"broadcast_in_dim", "broadcast"},
           "all-reduce": {"all_reduce"}}

# prefix/(a:b), up to two more levels of parentheses in it.
COMBINED = re.compile(
    r"^(.*?)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)$")


def split_names(op_name):
    """The names in an op_name: 'a;b' are a and b, 'p/(x:y)' are p/x and p/y
    (collectives that were combined)."""
    names = []
    for part in op_name.split(";"):
        match = COMBINED.match(part)
        prefix, inner = match.groups() if match else (None, "")
        pieces = []
        if ":" in inner and (prefix == "" or prefix.endswith("/")):
            pieces = split_outside_parentheses(inner)
        names += [prefix + piece for piece in pieces] or [part]
    return [name for name in dict.fromkeys(names) if name]


def split_outside_parentheses(text):
    """Pieces of `text` between ':'; none when there is only one."""
    pieces, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == ":" and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += char
    return pieces if len(pieces) > 1 else []


class HloModule:
    """Look-up tables of one HLO module."""

    def __init__(self, proto):
        self.proto = proto
        self.computations = {c.id: c for c in proto.computations}
        self.instructions, by_id = {}, {}
        for computation in proto.computations:
            for instruction in computation.instructions:
                self.instructions[instruction.name] = instruction
                by_id[instruction.id] = instruction
        self.users = collections.defaultdict(set)
        for instruction in by_id.values():
            for operand in instruction.operand_ids:
                self.users[by_id[operand].name].add(instruction.name)

    def consumers(self, name, measured, seen=None):
        """Measured users of a result, also through FREE instructions."""
        seen = set() if seen is None else seen
        found = set()
        for user in self.users[name] - seen:
            if user in seen:
                continue
            seen.add(user)
            if user in measured:
                found.add(user)
            elif self.instructions[user].opcode in FREE:
                found |= self.consumers(user, measured, seen)
        return found

    def members(self, instruction):
        """The instructions that run in one: itself, or all of a fusion's."""
        if instruction.opcode not in CALLING:
            return [instruction]
        found = []
        for callee in instruction.called_computation_ids:
            for inner in self.computations[callee].instructions:
                found += self.members(inner)
        return found

    def working_members(self, instruction):
        return [member for member in self.members(instruction)
                if member.opcode not in FREE]

    def frame(self, instruction):
        """Innermost (file, line, column) of an instruction, or None."""
        index = instruction.metadata.stack_frame_id
        if not index:
            return None
        frames = self.proto.stack_frame_index
        location = frames.file_locations[
            frames.stack_frames[index - 1].file_location_id - 1]
        return (frames.file_names[location.file_name_id - 1], location.line,
                location.column)


class Thunks:
    """All HLO events of a recording, summed by (module, program, name)."""

    def __init__(self, trace):
        self.events = [op for op in trace.ops if op.kind == "hlo"]
        self.trace = trace
        self.used = collections.Counter(op.module for op in self.events)
        self.modules = {}
        for key in self.used:
            proto = trace.find_hlo(*key)
            if proto is not None:
                self.modules[key] = HloModule(proto)
        self.measured = collections.defaultdict(set)
        for op in self.events:
            self.measured[op.module].add(op.stats["hlo_op"])
        self._begins = self._find_runs()
        self._cutters = {}
        self.sums = {}
        for op in self.events:
            self._add(op)
        for entry in self.sums.values():
            entry["time_ps"] = (entry["op_self_ps"] + entry["bounded_ps"] -
                                entry["execute_ps"])

    def _find_runs(self):
        """Sets the run of every event; begins by run and instruction."""
        begins = collections.defaultdict(lambda: collections.defaultdict(list))
        executions = [begin for begin, _ in self.trace.executions]
        for op in self.events:
            if op.stats.get("run_id", -1) != -1:
                op.run = op.stats["run_id"], op.stats.get("device_ordinal")
            else:
                op.run = bisect.bisect_right(executions, op.begin)
            begins[op.run][op.stats["hlo_op"]].append(op.begin)
        for run in begins.values():
            for times in run.values():
                times.sort()
        return begins

    def _add(self, op):
        name = op.stats["hlo_op"]
        entry = self.sums.setdefault((op.module, name), dict(
            count=0, execute_ps=0, op_self_ps=0, complete_ps=0, bounded_ps=0,
            ends=0, late_ends=0, end_on_other_line=0))
        entry["count"] += 1
        entry["execute_ps"] += op.end - op.begin
        entry["op_self_ps"] += op.self_ps
        end = op.end
        completion = self.trace.completions.get(op.stats.get("_p"))
        if completion:
            entry["ends"] += 1
            entry["late_ends"] += completion[0] > op.end
            entry["end_on_other_line"] += completion[2] != op.line
            end = max(end, completion[0])
        entry["complete_ps"] += end - op.begin
        op.bounded_end = self._bound(op, name, end)
        entry["bounded_ps"] += op.bounded_end - op.begin

    def _bound(self, op, name, end):
        """Cuts `end` where a consumer, or the same instruction, began."""
        if end <= op.end or op.module not in self.modules:
            return end
        key = op.module, name
        if key not in self._cutters:
            self._cutters[key] = self.consumers(*key) | {name}
        for cutter in self._cutters[key]:
            begins = self._begins[op.run].get(cutter, [])
            later = bisect.bisect_right(begins, op.begin)
            if later < len(begins):
                end = max(op.end, min(end, begins[later]))
        return end

    def consumers(self, key, name):
        module = self.modules[key]
        if name not in module.instructions:
            return set()
        return module.consumers(name, self.measured[key])

    def totals(self):
        keys = ("count", "execute_ps", "op_self_ps", "time_ps", "complete_ps",
                "bounded_ps", "ends", "late_ends", "end_on_other_line")
        return {key: sum(entry[key] for entry in self.sums.values())
                for key in keys}


def narrow(candidates, instruction, frame, module, how):
    """The ops among several with one name that agree with the instruction in
    frame, opcode and shape; a test that none passes is not applied."""
    def keep(test, reason):
        nonlocal candidates
        kept = {i: f for i, f in candidates.items() if test(i, f)}
        if kept:
            how.add(reason)
            candidates = kept
        return bool(kept)

    if frame and len(candidates) == 1:
        same = list(candidates.values())[0] == frame
        how.add("frame_ok" if same else "frame_differs")
    elif frame and len(candidates) > 1:
        if not keep(lambda _, other: other == frame, "frame"):
            how.add("frame_mismatch")
    if len(candidates) > 1:
        opcode = instruction.opcode
        wanted = OPCODES.get(opcode, {opcode.replace("-", "_")})
        keep(lambda i, _: module.ops[i].name.split(".", 1)[-1] in wanted,
             "opcode")
    if len(candidates) > 1:
        shape = (tuple(instruction.shape.dimensions),
                 ELEMENT_TYPES.get(instruction.shape.element_type))
        keep(lambda i, _: module.ops[i].shapes == [shape], "shape")
    return candidates


def describe(thunks, key, name, coverage):
    """Joins one measured instruction: the fields of "hlo" but the sums."""
    hlo = thunks.modules.get(key)
    instruction = hlo and hlo.instructions.get(name)
    time_ps = thunks.sums[key, name]["time_ps"]
    if instruction is None:
        coverage.account(time_ps, [], "no HLO proto/instruction")
        return dict(join="none")

    mlir = coverage.module
    members = hlo.working_members(instruction)
    names, narrowed, how = set(), collections.defaultdict(set), set()
    for member in members or [instruction]:
        frame = hlo.frame(member)
        for op_name in split_names(member.metadata.op_name):
            names.add(op_name)
            narrowed[op_name] |= set(narrow(
                dict(mlir.find(op_name)), member, frame, mlir, how))
    names = sorted(names)
    own_name = instruction.metadata.op_name
    row = dict(
        opcode=instruction.opcode, fusion_kind=instruction.fusion_kind,
        root_op_name=own_name, op_type=instruction.metadata.op_type,
        op_names=names or split_names(own_name), members=len(members),
        members_without_op_name=sum(not m.metadata.op_name for m in members))
    reason = None
    if not row["op_names"]:
        reason = (f"HLO {instruction.opcode} without op_name (compiler-made: "
                  f"{','.join(sorted({m.opcode for m in members}))})")
        users = thunks.consumers(key, name) or hlo.users[name]
        heirs = {hlo.instructions[user].metadata.op_name for user in users}
        heirs.discard("")
        row["inherit_from_users"] = sorted(heirs)
        if heirs and all(mlir.find(heir) for heir in heirs):
            coverage.recoverable_ps += time_ps
    row["refined_by"] = sorted(how)
    join, ids, unmatched = coverage.account(
        time_ps, row["op_names"], reason, narrowed)
    return dict(row, join=join, mlir_ops=ids, unmatched=unmatched)


def hlo_tables(folder, thunks, coverage):
    """The tables of expected.json about HLO; nothing when there is none."""
    if not thunks.events:
        return {}
    trace = thunks.trace
    modules = [
        dict(name=name, program_id=program, events=count,
             proto_found=name in trace.hlo_modules,
             proto_ids=[m.id for m in trace.hlo_modules.get(name, [])])
        for (name, program), count in thunks.used.items()]
    text = ""
    if os.path.exists(f"{folder}/hlo.txt"):
        with open(f"{folder}/hlo.txt") as file:
            text = file.read()
    printed = set(re.findall(r"^\s*(?:ROOT )?%([\w.\-]+) = ", text, re.M))

    rows = []
    by_time = sorted(thunks.sums.items(), key=lambda item: -item[1]["time_ps"])
    for (key, name), sums in by_time:
        hlo = thunks.modules.get(key)
        rows.append(dict(
            module=key[0], program_id=key[1], instr=name,
            in_proto=hlo is not None and name in hlo.instructions,
            in_hlo_txt=name in printed, **sums,
            **describe(thunks, key, name, coverage)))
    by_name = collections.Counter()
    for row in rows:
        by_name[row.get("root_op_name") or "(none)"] += row["time_ps"]
    return dict(hlo_modules=modules, hlo=rows,
                by_root_op_name=dict(by_name.most_common()),
                hlo_totals=thunks.totals())
