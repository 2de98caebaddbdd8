//===- ApplySchedule.cpp - Applying a transform schedule ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir-prof/Match/ModuleReader.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"

using namespace mlir;
using namespace mlirprof;

namespace {

class ApplySchedulePass
    : public PassWrapper<ApplySchedulePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApplySchedulePass)

  explicit ApplySchedulePass(std::string path) : path(std::move(path)) {}

  StringRef getArgument() const override { return "prof-apply-schedule"; }
  StringRef getDescription() const override {
    return "Apply the named sequence __transform_main of a file";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<transform::TransformDialect>();
  }

  void runOnOperation() override {
    OwningOpRef<ModuleOp> schedule = readSchedule();
    if (!schedule)
      return signalPassFailure();
    transform::TransformOpInterface entry =
        transform::detail::findTransformEntryPoint(
            *schedule, ModuleOp(),
            transform::TransformDialect::kTransformEntryPointSymbolName);
    if (!entry) {
      getOperation().emitError()
          << path << " has no named sequence '"
          << transform::TransformDialect::kTransformEntryPointSymbolName << "'";
      return signalPassFailure();
    }
    if (failed(transform::applyTransformNamedSequence(
            getOperation(), entry, *schedule, transform::TransformOptions())))
      signalPassFailure();
  }

private:
  /// The text says where; what is compiled is not at fault.
  void emitScheduleError(const Twine &text) {
    emitError(NameLoc::get(StringAttr::get(&getContext(), "schedule")), text);
  }
  /// Null after an error, which has been emitted.
  OwningOpRef<ModuleOp> readSchedule() {
    auto buffer = openInput(path);
    if (!buffer) {
      emitScheduleError(llvm::toString(buffer.takeError()));
      return nullptr;
    }
    const llvm::MemoryBuffer &input = **buffer;
    // The lexer wants a null character behind the text.
    auto schedule = parseModule(
        llvm::MemoryBuffer::getMemBufferCopy(input.getBuffer(), path),
        getContext());
    if (llvm::Error error = unlessChanged(
            input, schedule ? llvm::Error::success() : schedule.takeError())) {
      emitScheduleError(llvm::toString(std::move(error)));
      return nullptr;
    }
    return cast<ModuleOp>(schedule->release());
  }

  std::string path;
};

} // namespace

std::unique_ptr<Pass> mlirprof::createApplySchedulePass(std::string path) {
  return std::make_unique<ApplySchedulePass>(std::move(path));
}
