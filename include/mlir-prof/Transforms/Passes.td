//===- Passes.td - Passes of mlir-prof ---------------------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_PASSES_TD
#define MLIR_PROF_TRANSFORMS_PASSES_TD

include "mlir-prof/Transforms/InstrumentPasses.td"
include "mlir/Pass/PassBase.td"

def ProfAnnotate : Pass<"prof-annotate", "::mlir::ModuleOp"> {
  let summary = "Write the times of a profile onto the ops that own them";
  let description = [{
    Reads a recording or a `*.mlprof` file (the format is detected from the
    content), finds the ops of the module that own each measured op, and writes
    their times, and how much of the time found an owner, onto the module.

    The carriers:

    - `attribute`: `prof.data = #prof.data<...>` on ops, `prof.coverage` on the
      module. An attribute can change what is compiled: it stops CSE of ops with
      different times, some folds and patterns refuse ops with attributes that
      they do not know, and most conversions drop it.
    - `location`: the same numbers in the locations, as builtin attributes. They do
      not change the compiled code, any tool parses them, lowering keeps them, and
      `prof-materialize` turns them into attributes at any later level. Print with
      `--mlir-print-debuginfo` (or write bytecode) to keep them between tools.
    - `compat-profiler-data`: as `attribute`, and also `profiler_data = {dur, ts}`:
      the sole time and the begin of the first event, as i64 in picoseconds.

    Replaces the output of an earlier run. A module that owns none of the time is
    an error, since it is not the one that was measured; `allow-unmatched` accepts
    it.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect"];
  let options = [
    Option<"profile", "profile", "std::string", "",
           "Recording or *.mlprof file to read">,
    Option<"carrier", "carrier", "::mlirprof::transforms::Carrier",
           "::mlirprof::transforms::Carrier::Attribute", "Where the times are written", [{
             ::llvm::cl::values(
               clEnumValN(::mlirprof::transforms::Carrier::Attribute, "attribute",
                          "prof.data on the ops"),
               clEnumValN(::mlirprof::transforms::Carrier::Location, "location",
                          "the locations of the ops"),
               clEnumValN(::mlirprof::transforms::Carrier::CompatProfilerData,
                          "compat-profiler-data",
                          "prof.data and profiler_data on the ops"))
           }]>,
    Option<"compatProfilerData", "compat-profiler-data", "bool", "false",
           "Write profiler_data = {dur, ts} too">,
    Option<"matchRule", "match", "::mlirprof::match::MatchRule",
           "::mlirprof::match::MatchRule::Best", "How owners are found", [{
             ::llvm::cl::values(
               clEnumValN(::mlirprof::match::MatchRule::Best, "best", "all evidence"),
               clEnumValN(::mlirprof::match::MatchRule::Reference, "reference",
                          "names, frames, opcodes and shapes only"))
           }]>,
    Option<"allowUnmatched", "allow-unmatched", "bool", "false",
           "Accept a module that owns none of the time">,
  ];
  let statistics = [
    Statistic<"annotatedOps", "annotated-ops", "Ops that got times">,
  ];
}

def ProfMaterialize : Pass<"prof-materialize", "::mlir::ModuleOp"> {
  let summary = "Turn times carried by locations into attributes";
  let description = [{
    Reads the times that `prof-annotate{carrier=location}` wrote, at the same or any
    later level of the module, and writes `prof.data` and `prof.coverage`. The
    locations stay as they are, so that lowering can continue. A remark gives the
    share of the time that arrived.

    An op after lowering may carry the data of several ops of the annotated module
    (they were fused), and the data of one may be on several ops. The owners of a
    source op's time are its outermost carriers: ops nested in one of them run as
    part of it. Constants, and ops that cost nothing where others do, do not own
    time.

    - A single owner gets the numbers as they are.
    - Several owners are a set: each has the source op's sole and shared
      time as `shared_ps`, and its `sole_ps` plus `estimated_ps` is split
      over their `estimated_ps` by static cost, so that the parts add up to
      exactly the whole. In a graph of blocks (cf, LLVM dialect) the cost counts
      eightfold for every loop around the op.

    For code that was inlined, the callee owns the time; a call that was measured
    itself owns the time for which its callee does not carry data. The sole plus
    estimated time of all ops together never exceeds the annotated time.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect"];
  let options = [
    Option<"remarks", "remarks", "bool", "true",
           "Print the share of the time that arrived">,
  ];
  let statistics = [
    Statistic<"arrivedPpm", "arrived-ppm",
              "Share of the annotated time that arrived, in millionths">,
    Statistic<"sourceOps", "source-ops", "Source ops that arrived">,
    Statistic<"owners", "owners", "Ops that got times">,
    Statistic<"soleOwners", "sole-owners", "Source ops with exactly one owner">,
  ];
}

def ProfStrip : Pass<"prof-strip", "::mlir::ModuleOp"> {
  let summary = "Remove all profile data";
  let description = [{
    Removes `prof.data`, `prof.coverage` and `profiler_data = {dur, ts}` from all
    ops and unwraps the locations that carry data, so that the module, locations
    included, is as it was before `prof-annotate`. Also removes `prof.program` and
    the identities in locations.
  }];
  let statistics = [
    Statistic<"strippedAttributes", "stripped-attributes",
              "Attributes removed">,
    Statistic<"strippedLocations", "stripped-locations",
              "Ops whose location was restored">,
  ];
}

def ProfPrintHot : Pass<"prof-print-hot", "::mlir::ModuleOp"> {
  let summary = "Print the hottest ops";
  let description = [{
    Prints a table of the ops with the most total time (sole plus estimated)
    to standard error, from the attributes, or from the locations when no op has
    the attribute. The columns are the total, its share of the total of all ops,
    sole, estimated and shared time in picoseconds, the number of events, the
    op and its location. Does not change the module.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect"];
  let options = [
    Option<"top", "top", "unsigned", "20",
           "Number of ops to print, 0 for all">,
  ];
}

def ProfIdentify : Pass<"prof-identify", "::mlir::ModuleOp"> {
  let summary = "Give every op an identity, at the start of compilation";
  let description = [{
    Creates the program of the module, the attribute `prof.program`, with the level
    `input`: one node for each function with a body and for each op in it, except
    constants and ops of the transform dialect. The op's location becomes
    `fused<{prof = N : i32}>[location]`, where N is the index of its node. These are
    builtin attributes, which any tool parses and lowering keeps. The pass does the
    same as `prof-snapshot{level=input}`.

    Constants do not get an identity: upstream's vectorization gives the store of a
    constant the constant's location, and the time of the store would count for the
    constant. Between tools, keep the locations with `--mlir-print-debuginfo` or
    bytecode.
  }];
}

def ProfSnapshot : Pass<"prof-snapshot", "::mlir::ModuleOp"> {
  let summary = "Add a level to the program: new identities for all ops";
  let description = [{
    Gives each op a new identity. Its node lists the nodes of earlier levels that
    the op came from, which its location names, so that a measurement of the op
    counts at every level. The location of inlined code is a call chain: the node
    comes from the callee, and the calls are its callers.

    A node holds the op's kind, name, location and source position, the node around
    it, its position in the module (in pre-order, the module is 0), its static cost,
    and how often a loop with constant bounds runs. Take a snapshot after
    `prof-repair`, or within `prof-track`, so that few ops lack an origin. Level
    names are unique within a program.
  }];
  let options = [
    Option<"level", "level", "std::string", "",
           "Name of the level (tiled, bufferized, loops ...)">,
  ];
}

def ProfRepair : Pass<"prof-repair", "::mlir::ModuleOp"> {
  let summary = "Give ops without an identity that of an op near them";
  let description = [{
    An op whose location was lost takes the location of the first of these that has
    an identity: a constant vector that it uses (the pattern that created the
    constant also created the op), its parent, a user of its results, an op that it
    uses, its neighbor in the block, its function. The identities of constants are
    then removed. Run the pass between the passes of a pipeline: the sooner after
    the pass that lost a location, the better the guess. `prof-track` does so.
  }];
  let statistics = [
    Statistic<"repairedOps", "repaired-ops", "Ops that got an identity">,
  ];
}

def ProfTrack : Pass<"prof-track", "::mlir::ModuleOp"> {
  let summary = "Run a pipeline with identities repaired between its passes";
  let description = [{
    Runs `pipeline`, any textual pass pipeline, with or without the
    `builtin.module(...)` around it, and repairs identities before and after each of
    its passes, those of nested pipelines included. A plugin cannot run between the
    passes of a stock `mlir-opt` in any other way. Run `prof-identify` before it.

    The audit lists for each pass the number of ops that it left without an
    identity, by kind; the identities that disappeared, since their ops were erased
    or merged or lost them, and those that are new; and the number of ops that the
    repair fixed. A remark names each pass that lost identities; `audit-file` gets
    the audit of all passes as JSON.
  }];
  let options = [
    Option<"pipeline", "pipeline", "std::string", "",
           "Textual pass pipeline to run">,
    Option<"auditFile", "audit-file", "std::string", "",
           "File to write the audit of all passes to, as JSON">,
    Option<"remarks", "remarks", "bool", "true",
           "Name each pass that lost identities in a remark">,
  ];
  let statistics = [
    Statistic<"lostOps", "lost-ops", "Ops that passes left without identity">,
    Statistic<"repairedOps", "repaired-ops", "Ops that got one back">,
  ];
}

def ProfLines : Pass<"prof-lines", "::mlir::ModuleOp"> {
  let summary = "Turn identities into debug lines, at the end of compilation";
  let description = [{
    For a module of the LLVM dialect (with or without OpenMP's). Takes the
    snapshot `llvm`, unless that is the program's last level already, and makes
    each op's location the plain line `index of its node + 1` of a file called
    `prof.program`; an op without a node gets line 0. Functions with a body get a
    DISubprogram, whose line is the function's own node + 1 and stands for its
    prologue, with line tables only. Debug records of the original program are
    dropped, as they name other scopes.

    One look-up in the DWARF line table then maps an instruction to its op. The
    program itself stays in `prof.program`. Unless `section=false`, or for a target
    whose objects are not in ELF, it also becomes a constant in the section
    `.mlirprof.program`, which `mlir-translate`, `llc`, `clang` and the linker keep:
    samples of `perf` then find their ops at every level, in any program or library
    that the object is linked into.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"section", "section", "bool", "true",
           "Put the program into a section of the object">,
  ];
}

#endif // MLIR_PROF_TRANSFORMS_PASSES_TD
