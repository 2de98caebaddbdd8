//===- InstrumentPasses.td - Passes that place probes ------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_INSTRUMENTPASSES_TD
#define MLIR_PROF_TRANSFORMS_INSTRUMENTPASSES_TD

include "mlir/Pass/PassBase.td"

def ProfInstrument : Pass<"prof-instrument", "::mlir::ModuleOp"> {
  let summary = "Put probes around ops, loops and functions";
  let description = [{
    Puts `prof.begin` and `prof.end` into the functions (`func.func`) of the module
    and lists the probes in its program, in pre-order. Works at any level that has
    loops or structured ops: linalg, scf, affine, OpenMP. A structured op counts as
    the loops that it will become. `scope` chooses the ops that get a probe:

    - `op`: the outermost ops of a function that do work: loops, structured ops,
      copies, calls; instead of a loop with the attribute `mlirprof.blocks`, those in
      it;
    - `siblings`: loops next to another loop in the same parent loop; innermost
      loops only if they are outermost, too;
    - `depth:N`: loops with at most N loops around them (0: outermost loops);
    - `height:N`: loops with at least N levels of loops in them (0: all loops);
    - `all`: all loops.

    Only `all`, `height:0` and `depth:N` put probes around innermost loops that are
    nested in other loops; these probes run each time that the innermost loop is
    entered. The body of an innermost loop is never changed.

    A parallel loop or region gets a probe of kind Parallel around it (wall time, on
    the thread that enters it), and one of kind Work inside: around the loop that
    the team shares (`omp.wsloop`; its barrier is moved after the probe, so that
    waiting is not work), or in each iteration of `scf.parallel`, `scf.forall` and
    `affine.parallel` whose body has loops. The distinction between wall time and
    work is most precise after `convert-scf-to-openmp`.

    Loops made of branches (`cf`), functions of other dialects and functions in
    nested modules do not get probes. If a function ends without a return, its probe
    does not end. A remark for each function counts these cases.

    A module without a program is identified first (see `prof-identify`). A remark
    says how many probed ops lack an identity, and how many have several; the probe
    then belongs to the first.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"scope", "scope", "std::string", "\"op\"",
           "op, siblings, depth:N, height:N or all">,
    Option<"functions", "functions", "bool", "true",
           "Put a probe into each function">,
    Option<"values", "values", "bool", "false",
           "Record values too, as prof-record-values does">,
  ];
  let statistics = [
    Statistic<"probeCount", "probes", "Probes inserted">,
    Statistic<"notProbed", "not-probed", "Loops and functions without a probe">,
    Statistic<"lostNodes", "lost-nodes", "Probed ops without an identity">,
    Statistic<"sharedNodes", "shared-nodes",
              "Probed ops with several identities">,
  ];
}

def ProfRecordValues : Pass<"prof-record-values", "::mlir::ModuleOp"> {
  let summary = "Record the values that decide how long a model runs";
  let description = [{
    Puts `prof.value` into the functions (`func.func`) of the module and lists the
    sites in its program:

    - at the entry of each public function, one tuple of all dynamic dimensions of
      its arguments, and one of all arguments that are a single integer (integers,
      index, i1, also as the only element of a memref);
    - the trip count of each loop whose bounds are not constant (one for each
      dimension of a parallel loop), before the outermost loop in which the bounds
      do not change: it is recorded once for each time that the bounds may have
      changed;
    - the direction of each `scf.if` and `cf.cond_br`: 1 for the first region or
      successor, else 0.

    Without `everywhere`, the pass does not put code into innermost loops or record
    a value for each execution of one. A remark for each function lists the values
    that are not recorded for this reason or another one (`scf.while`, `affine.if`,
    loops made of branches, structured ops of dynamic shapes, functions of other
    dialects).
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"everywhere", "everywhere", "bool", "false",
           "Record in innermost loops, too">,
  ];
  let statistics = [
    Statistic<"siteCount", "sites", "Places where values are recorded">,
    Statistic<"notRecorded", "not-recorded",
              "Places whose values are not recorded">,
  ];
}

def ProfLowerProbes : Pass<"prof-lower-probes", "::mlir::ModuleOp"> {
  let summary = "Turn probes into code";
  let description = [{
    Turns the ops of probes and values into ops of the LLVM dialect, in `llvm.func`
    and `func.func`. Run it after everything else is lowered to the LLVM dialect and
    OpenMP. It can run earlier if no structured control flow is left, since it
    inserts branches.

    - `inline`: a probe reads the cycle counter twice and adds the difference to its
      slot in the thread's block, which is fetched once for each call of a function
      and each thread of a parallel region. With `instances=N`, it calls the runtime
      for the first N executions.
    - `call`: the begin and the end each call a handler with the number of the probe
      and the return address. A target may provide its own `prof_rt_handler`.
    - `drop`: the pass removes the probes, with a warning.

    `runtime/include/mlir-prof/Runtime/prof_rt.h` documents the interface between
    the code and the runtime. The pass adds a description of the module for the
    runtime, which holds the program (`prof.program`) unless `metadata` is false.
  }];
  let dependentDialects = ["::mlirprof::prof::ProfDialect",
                           "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"probe", "probe", "::mlirprof::transforms::ProbeCode",
           "::mlirprof::transforms::ProbeCode::Inline", "Code of a probe", [{
             ::llvm::cl::values(
               clEnumValN(::mlirprof::transforms::ProbeCode::Inline, "inline",
                          "counters in the code"),
               clEnumValN(::mlirprof::transforms::ProbeCode::Call, "call",
                          "calls of a handler"),
               clEnumValN(::mlirprof::transforms::ProbeCode::Drop, "drop",
                          "none: probes are removed"))
           }]>,
    Option<"clock", "clock", "::mlirprof::transforms::ProbeClock",
           "::mlirprof::transforms::ProbeClock::Cycles", "Clock that an inline probe reads", [{
             ::llvm::cl::values(
               clEnumValN(::mlirprof::transforms::ProbeClock::Cycles, "cycles",
                          "the processor's cycle counter"),
               clEnumValN(::mlirprof::transforms::ProbeClock::Runtime, "runtime",
                          "prof_rt_ticks(), for processors without a cycle counter"))
           }]>,
    Option<"instances", "instances", "uint32_t", "0",
           "Executions of each probe to keep as single records">,
    Option<"metadata", "metadata", "bool", "true",
           "Put the program into the object">,
  ];
  let statistics = [
    Statistic<"loweredProbes", "lowered-probes", "Starts of probes lowered">,
    Statistic<"loweredValues", "lowered-values", "Recorded values lowered">,
  ];
}

#endif // MLIR_PROF_TRANSFORMS_INSTRUMENTPASSES_TD
