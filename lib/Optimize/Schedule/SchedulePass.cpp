//===- SchedulePass.cpp - Writing a schedule from a pass pipeline ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleWriter.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Optimize/Passes.h"
#include "mlir-prof/Optimize/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlirprof::optimize {
#define GEN_PASS_DEF_PROFWRITESCHEDULE
#include "mlir-prof/Optimize/Passes.h.inc"
} // namespace mlirprof::optimize

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;

namespace {

struct WriteSchedulePass
    : optimize::impl::ProfWriteScheduleBase<WriteSchedulePass> {
  using ProfWriteScheduleBase::ProfWriteScheduleBase;

  void runOnOperation() override {
    FailureOr<codegen::TargetModel> target =
        codegen::makeTarget(*this, getOperation(), vectorBits, vectorRegisters,
                            /*features=*/"", codegen::TargetModel().maxError);
    if (failed(target))
      return signalPassFailure();
    ScheduleReport report = tagForSchedule(getOperation(), *target);
    if (llvm::Error error = write(*target)) {
      getOperation().emitError(llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    if (llvm::Error error = writeCommand(*target)) {
      getOperation().emitError(llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    if (!printReport)
      return;
    llvm::errs() << report.scheduled << " scheduled, " << report.left
                 << " left\n";
    for (const std::string &reason : report.reasons)
      llvm::errs() << "  " << reason << "\n";
  }

private:
  llvm::Error write(const codegen::TargetModel &target) {
    std::string message;
    auto file = openOutputFile(path, &message);
    if (!file)
      return llvm::createStringError(message);
    if (llvm::Error error = writeSchedule(getOperation(), target, file->os()))
      return error;
    file->keep();
    return llvm::Error::success();
  }

  llvm::Error writeCommand(const codegen::TargetModel &target) {
    if (commandPath.empty())
      return llvm::Error::success();
    llvm::Expected<std::string> command =
        getReplayCommand(modelPath, path, target);
    if (!command)
      return command.takeError();
    std::string message;
    auto file = openOutputFile(commandPath, &message);
    if (!file)
      return llvm::createStringError(message);
    file->os() << *command << "\n";
    file->keep();
    return llvm::Error::success();
  }
};

} // namespace
