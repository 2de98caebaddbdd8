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
    - `location`: the same numbers in the locations, as builtin attributes. What
      is compiled stays the same, any tool parses it, lowering keeps it, and
      `prof-materialize` turns it into attributes at any later level. Print with
      `--mlir-print-debuginfo` (or write bytecode) to keep it between tools.
    - `compat-profiler-data`: as `attribute`, and `profiler_data = {dur, ts}`
      beside it: total exclusive time and begin of the first event, i64, ps.

    What an earlier run wrote is replaced. A module that owns none of the time is
    an error, as it is not the one that was measured; `allow-unmatched` accepts
    it.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect"];
  let options = [
    Option<"profile", "profile", "std::string", "",
           "Recording or *.mlprof file to read">,
    Option<"carrier", "carrier", "::mlirprof::Carrier",
           "::mlirprof::Carrier::Attribute", "Where the times are written", [{
             ::llvm::cl::values(
               clEnumValN(::mlirprof::Carrier::Attribute, "attribute",
                          "prof.data on the ops"),
               clEnumValN(::mlirprof::Carrier::Location, "location",
                          "the locations of the ops"),
               clEnumValN(::mlirprof::Carrier::CompatProfilerData,
                          "compat-profiler-data",
                          "prof.data and profiler_data on the ops"))
           }]>,
    Option<"compatProfilerData", "compat-profiler-data", "bool", "false",
           "Write profiler_data = {dur, ts} too">,
    Option<"matchRule", "match", "::mlirprof::MatchRule",
           "::mlirprof::MatchRule::Best", "How owners are found", [{
             ::llvm::cl::values(
               clEnumValN(::mlirprof::MatchRule::Best, "best", "all evidence"),
               clEnumValN(::mlirprof::MatchRule::Reference, "reference",
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
    - Several owners are a set: each has the source op's exclusive and shared
      time as `shared_ps`, and its `exclusive_ps` plus `modelled_ps` is split
      over their `modelled_ps` by static cost, so that the parts add up to
      exactly the whole. In a graph of blocks (cf, LLVM dialect) the cost counts
      eightfold for every loop around the op.

    For code that was inlined, the callee owns the time; a call that was measured
    itself owns what its callee carries no data for. Exclusive plus modelled time
    of all ops together is never more than what was annotated.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect"];
  let options = [
    Option<"remarks", "remarks", "bool", "true",
           "Say which share of the time arrived">,
  ];
  let statistics = [
    Statistic<"arrivedPermille", "arrived-permille",
              "Share of the annotated time that arrived, in thousandths">,
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
    was before `prof-annotate`, locations included.
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
    Prints a table of the ops with the most heat (exclusive plus modelled time)
    to standard error, from the attributes, or from the locations when no op has
    the attribute. The columns are heat, its share of the heat of all ops,
    exclusive, modelled and shared time in picoseconds, the number of events, the
    op and its location. Changes nothing.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect"];
  let options = [
    Option<"top", "top", "unsigned", "20",
           "Number of ops to print, 0 for all">,
  ];
}

#endif // MLIR_PROF_TRANSFORMS_PASSES_TD
