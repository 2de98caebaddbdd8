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
      `prof-materialize` turns it into attributes at any later level. Print with
      `--mlir-print-debuginfo` (or write bytecode) to keep it between tools.
    - `compat-profiler-data`: as `attribute`, with `profiler_data = {dur, ts}`
      in addition: the sole time and the begin of the first event, i64, ps.

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
    Reads what `prof-annotate{carrier=location}` wrote, at the same or any later
    level of the module, and writes `prof.data` and `prof.coverage`. The
    locations stay as they are, so that lowering can go on. A remark says which
    share of the time arrived.

    An op after lowering may carry the data of several ops of the annotated
    module (they were fused), and the data of one may be on several ops. The
    owners of a source op's time are its outermost carriers: what is nested in
    one of them runs as part of it. Constants, and ops that cost nothing where
    others do, do not own time.

    - One owner takes the numbers over as they are.
    - Several owners are a set: each has the source op's sole and shared
      time as `shared_ps`, and its `sole_ps` plus `estimated_ps` is split
      over their `estimated_ps` by static cost, so that the parts add up to
      exactly the whole. In a graph of blocks (cf, LLVM dialect) the cost counts
      eightfold for every loop around the op.

    For code that was inlined, the callee owns the time; a call that was measured
    itself owns what its callee carries no data for. Sole plus estimated time
    of all ops together is never more than what was annotated.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect"];
  let options = [
    Option<"remarks", "remarks", "bool", "true",
           "Say which share of the time arrived">,
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
  let summary = "Take all profile data off";
  let description = [{
    Removes `prof.data`, `prof.coverage` and `profiler_data = {dur, ts}` from all
    ops and unwraps the locations that carry data, so that the module is what it
    was before `prof-annotate`, locations included. Takes off `prof.program` and
    the identities in locations, too.
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
    op and its location. Changes nothing.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect"];
  let options = [
    Option<"top", "top", "unsigned", "20",
           "Number of ops to print, 0 for all">,
  ];
}

def ProfIdentify : Pass<"prof-identify", "::mlir::ModuleOp"> {
  let summary = "Give every op an identity, at the begin of compilation";
  let description = [{
    Starts the program of this module, the attribute `prof.program`, with its
    level `input`: a node for every function with a body and every op in one,
    but constants and the transform dialect. The op's location becomes
    `fused<{prof = N : i32}>[location]`, where N is the index of its node. These
    are builtin attributes, which any tool parses and lowering keeps. The same as
    `prof-snapshot{level=input}`.

    Constants get no identity: upstream's vectorization gives the store of a
    constant the constant's location, and the store's time would be the
    constant's. Between tools keep the locations with `--mlir-print-debuginfo` or
    bytecode.
  }];
}

def ProfSnapshot : Pass<"prof-snapshot", "::mlir::ModuleOp"> {
  let summary = "Add a level to the program: new identities for all ops";
  let description = [{
    Gives each op a new identity, whose node says of which nodes of earlier
    levels it is: those that its location held. So what is measured for one op
    counts at every level. The location of inlined code is a call chain: the node
    comes from the callee, and the calls are its callers.

    A node holds the op's kind, name, location and source position, the node
    around it, its position in the module (in pre-order, the module is 0), its
    static cost, and how often a loop with constant bounds runs. Take a snapshot
    after `prof-repair`, or within `prof-track`, so that few ops come from
    nowhere. Level names are unique within a program.
  }];
  let options = [
    Option<"level", "level", "std::string", "",
           "Name of the level (tiled, bufferized, loops ...)">,
  ];
}

def ProfRepair : Pass<"prof-repair", "::mlir::ModuleOp"> {
  let summary = "Give ops without an identity that of an op near them";
  let description = [{
    An op whose location was lost takes the location of its parent, else of a
    user of its results, an op that it uses, its neighbor in the block, or its
    function, in this order. Before all that, of a constant vector that it uses, when
    that has an identity: the pattern that made the constant made the op, too.
    Then constants lose what they have. Stands between the
    passes of a pipeline: the nearer to the pass that lost a location, the better
    the guess. `prof-track` does that by itself.
  }];
  let statistics = [
    Statistic<"repairedOps", "repaired-ops", "Ops that got an identity">,
  ];
}

def ProfTrack : Pass<"prof-track", "::mlir::ModuleOp"> {
  let summary = "Run a pipeline with identities repaired between its passes";
  let description = [{
    Runs `pipeline`, any textual pass pipeline, with or without the
    `builtin.module(...)` around it, and repairs identities before and after each
    of its passes, those of nested pipelines included; plugins of a stock
    mlir-opt cannot run between passes in any other way. Needs `prof-identify`
    before it.

    Each pass is audited: how many ops it left without an identity, by kind; which
    identities are gone (their ops were erased, merged or lost theirs: a merge
    leaves no trace) and which are new; how many ops the repair helped. A remark
    names each pass that lost some, or with `audit-file` all is written there as
    JSON.
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

    So code is translated to its op by one look-up in the DWARF line table, in
    process or ahead of time. The program itself stays in `prof.program`.
    Unless `section=false`, or for a target whose objects are not in ELF, it also
    becomes a constant in the section `.mlirprof.program`, which `mlir-translate`,
    `llc`, `clang` and the linker keep: samples of `perf` in whatever the object
    is linked into find their ops at every level.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"section", "section", "bool", "true",
           "Put the program into a section of the object">,
  ];
}

#endif // MLIR_PROF_TRANSFORMS_PASSES_TD
