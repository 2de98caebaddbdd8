//===- SchedulePass.cpp - Writing a schedule from a pass pipeline ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleWriter.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Optimize/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlirprof;

namespace {

class WriteSchedulePass
    : public PassWrapper<WriteSchedulePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WriteSchedulePass)

  WriteSchedulePass() = default;
  WriteSchedulePass(const WriteSchedulePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "prof-write-schedule"; }
  StringRef getDescription() const override {
    return "Write a transform script for structured ops, which get its names";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    TargetModel target;
    target.vectorBits = vectorBits;
    target.vectorRegisters = vectorRegisters;
    ScheduleReport report = tagForSchedule(getOperation(), target);
    if (llvm::Error error = write(target)) {
      getOperation().emitError(llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    if (llvm::Error error = writeCommand(target)) {
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
  llvm::Error write(const TargetModel &target) {
    std::string message;
    auto file = openOutputFile(path, &message);
    if (!file)
      return llvm::createStringError(message);
    if (llvm::Error error = writeSchedule(getOperation(), target, file->os()))
      return error;
    file->keep();
    return llvm::Error::success();
  }

  llvm::Error writeCommand(const TargetModel &target) {
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

  Option<std::string> path{*this, "path", llvm::cl::desc("Where to write it"),
                           llvm::cl::init("-")};
  Option<std::string> modelPath{
      *this, "model", llvm::cl::desc("Where the module is going to be"),
      llvm::cl::init("-")};
  Option<std::string> commandPath{
      *this, "command",
      llvm::cl::desc("Where to write the command line that applies it")};
  Option<bool> printReport{*this, "report",
                           llvm::cl::desc("Tell which ops are left, and why"),
                           llvm::cl::init(false)};
  Option<unsigned> vectorBits{*this, "vector-bits",
                              llvm::cl::desc("Bits of a vector register"),
                              llvm::cl::init(512)};
  Option<unsigned> vectorRegisters{*this, "vector-registers",
                                   llvm::cl::desc("Number of them"),
                                   llvm::cl::init(32)};
};

} // namespace

void mlirprof::registerSchedulePass() { PassRegistration<WriteSchedulePass>(); }
