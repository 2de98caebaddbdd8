//===- Passes.td - Passes of the optimizer -----------------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_PASSES_TD
#define MLIR_PROF_OPTIMIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ProfWriteSchedule : Pass<"prof-write-schedule", "::mlir::ModuleOp"> {
  let summary = "Write the rules' schedule of a module as a transform script";
  let description = [{
    Plans the structured ops of a prepared module by the rules of the default
    pipeline, gives each planned op a name as an attribute, and writes a script of
    the transform dialect that finds the ops by these names and tiles and vectorizes
    them as the rules do. Stock `mlir-opt` applies the script; `command` names a
    file for the command line that does so. Ops that the script cannot tile stay as
    they are; with `report`, the pass prints them and the reasons.
  }];
  let options = [
    Option<"path", "path", "std::string", "\"-\"",
           "File to write the script to; - is standard output">,
    Option<"modelPath", "model", "std::string", "\"-\"",
           "Name of the file with the module, for the command line">,
    Option<"commandPath", "command", "std::string", "",
           "File to write the command line to that applies the script">,
    Option<"printReport", "report", "bool", "false",
           "Print the ops that the script leaves as they are, and why">,
    Option<"vectorBits", "vector-bits", "unsigned", "512",
           "Width of a vector register in bits, a power of two">,
    Option<"vectorRegisters", "vector-registers", "unsigned", "32",
           "Number of vector registers">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // MLIR_PROF_OPTIMIZE_PASSES_TD
