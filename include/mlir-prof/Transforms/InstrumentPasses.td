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
    Puts `prof.begin` and `prof.end` into the functions (`func.func`) of the
    module and lists the probes in its program, in pre-order. Works at any level
    that has loops or structured ops: linalg, scf, affine, OpenMP. A structured
    op counts as the loops that it will become. `scope` says what gets a probe:

    - `op`: the outermost ops of a function that do work: loops, structured ops,
      copies, calls;
    - `siblings`: loops with a sibling loop in the same loop; innermost
      ones only where they are outermost, too;
    - `depth:N`: loops with at most N loops around them (0: outermost loops);
    - `height:N`: loops with at least N levels of loops in them (0: all loops);
    - `all`: all loops.

    Only `all`, `height:0` and `depth:N` touch what an innermost loop is nested
    in more often than the loops around it are entered; no scope changes the body
    of an innermost loop.

    A parallel loop or region gets a probe of kind Parallel around it (wall time,
    on the thread that enters it), and one of kind Work inside: around the loop
    that the team shares (`omp.wsloop`; its barrier is moved after the probe, so
    that waiting is not work), or in each iteration of `scf.parallel`,
    `scf.forall` and `affine.parallel` whose body has loops. Threads and work come
    apart best after `convert-scf-to-openmp`.

    Loops of branches (`cf`) get no probes, nor do functions of other dialects or
    in nested modules; where a function ends without a return, its probe does not
    end. A remark for each function says what there is of these.

    A module without a program is identified first (see `prof-identify`). A
    remark says how many probed ops lack an identity, and how many have several, of
    which the first is taken.
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
    Statistic<"probeCount", "probes", "Probes made">,
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

    - for each public function one tuple of all dynamic dimensions of its
      arguments, at its entry, and one of all its arguments that are one integer
      (integers, index, i1, also as the only element of a memref);
    - for each loop with bounds that are not constant its trip count (one for each
      dimension of a parallel loop), before the outermost loop within which the
      bounds do not change: so it is counted once for each time that the bounds
      could have changed;
    - for each `scf.if` and `cf.cond_br` which way it went: 1 is the first region
      or successor.

    Nothing goes into an innermost loop, and nothing is recorded for each
    execution of one, unless `everywhere` is given. A remark for each function
    lists what is not recorded for this or other reasons (`scf.while`, `affine.if`,
    loops of branches, structured ops of dynamic shapes, functions of other dialects).
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
    and `func.func`. Run it after everything else is lowered to the LLVM dialect
    and OpenMP (before works too, as long as no structured control flow is left:
    a block must be able to branch).

    - `inline`: a probe reads the cycle counter twice and adds the difference to
      its slot in the thread's block, which is fetched once for each call of a
      function and each thread of a parallel region. With `instances` it calls
      the runtime for the first so many executions, behind a branch.
    - `call`: begin and end each call a handler, with the number of the probe and
      the address where the code goes on. A target may bring its own
      `prof_rt_handler`.
    - `drop`: the probes go, with a warning.

    See runtime/include/mlir-prof/Runtime/prof_rt.h for what the code does and
    calls. The module gets a description of itself for the runtime, which holds
    its program (`prof.program`) unless `metadata` is off.
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
               clEnumValN(::mlirprof::transforms::ProbeCode::Drop, "drop", "nothing"))
           }]>,
    Option<"clock", "clock", "::mlirprof::transforms::ProbeClock",
           "::mlirprof::transforms::ProbeClock::Cycles", "Clock that an inline probe reads", [{
             ::llvm::cl::values(
               clEnumValN(::mlirprof::transforms::ProbeClock::Cycles, "cycles",
                          "the processor's cycle counter"),
               clEnumValN(::mlirprof::transforms::ProbeClock::Runtime, "runtime",
                          "prof_rt_ticks(), for processors that have none"))
           }]>,
    Option<"instances", "instances", "uint32_t", "0",
           "Executions of each probe to keep one by one">,
    Option<"metadata", "metadata", "bool", "true",
           "Put the program into the code">,
  ];
  let statistics = [
    Statistic<"loweredProbes", "lowered-probes", "Begins of probes lowered">,
    Statistic<"loweredValues", "lowered-values", "Recorded values lowered">,
  ];
}

#endif // MLIR_PROF_TRANSFORMS_INSTRUMENTPASSES_TD
