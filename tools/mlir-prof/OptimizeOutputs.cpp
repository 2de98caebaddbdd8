//===- OptimizeOutputs.cpp - Outputs of mlir-prof optimize ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeOptions.h"
#include "SessionOptions.h"
#include "mlir-prof/Optimize/Schedule.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::optimize;

static llvm::Error writeScript(const OptimizeOptions &options,
                               mlir::ModuleOp tagged,
                               const ScheduleReport &report,
                               llvm::raw_ostream &os) {
  const codegen::TargetModel &target = options.search.compile.target;
  auto command = getReplayCommand(options.output, options.script, target);
  if (!command)
    return command.takeError();
  llvm::Error error = writeOutput(options.script, [&](llvm::raw_ostream &os) {
    return writeSchedule(tagged, target, os);
  });
  if (error)
    return error;
  os << llvm::formatv("{0}: schedules of {1}; plain loops for {2}\n",
                      options.script, formatCount(report.scheduled, "op"),
                      report.left);
  for (const std::string &reason : report.reasons)
    os << "  " << reason << "\n";
  os << "to replay them in stock mlir-opt " LLVM_VERSION_STRING ":\n"
     << *command << "\n";
  return llvm::Error::success();
}

llvm::Error mlirprof::writeOptimized(const OptimizeOptions &options,
                                     OptimizeInput &input,
                                     const OptimizerResult &result,
                                     llvm::raw_ostream &os) {
  if (options.output.empty())
    return llvm::Error::success();
  auto prepared = applyResult(options, input, result);
  if (!prepared)
    return prepared.takeError();
  ScheduleReport report;
  if (!options.script.empty())
    report = tagForSchedule(**prepared, options.search.compile.target);
  llvm::Error error =
      writeOutput(options.output, [&](llvm::raw_ostream &os) -> llvm::Error {
        mlir::OpPrintingFlags flags;
        flags.enableDebugInfo(/*enable=*/true, /*prettyForm=*/false);
        (*prepared)->print(os, flags);
        os << '\n';
        return llvm::Error::success();
      });
  if (error || options.script.empty())
    return error;
  return writeScript(options, **prepared, report, os);
}
