//===- ApplySchedule.cpp - Applying a transform schedule ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_APPLYSCHEDULEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::module;

namespace {

struct ApplySchedulePass
    : mlirprof::codegen::impl::ApplySchedulePassBase<ApplySchedulePass> {
  using ApplySchedulePassBase::ApplySchedulePassBase;

  void runOnOperation() override {
    if (path.empty()) {
      getOperation().emitError() << getArgument() << ": no path is given";
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> schedule = readSchedule();
    if (!schedule)
      return signalPassFailure();
    transform::TransformOpInterface entry =
        transform::detail::findTransformEntryPoint(
            *schedule, ModuleOp(),
            transform::TransformDialect::kTransformEntryPointSymbolName);
    if (!entry) {
      getOperation().emitError()
          << path << " does not contain the named sequence '"
          << transform::TransformDialect::kTransformEntryPointSymbolName << "'";
      return signalPassFailure();
    }
    if (failed(transform::applyTransformNamedSequence(
            getOperation(), entry, *schedule, transform::TransformOptions())))
      signalPassFailure();
  }

private:
  /// The text names the place; the compiled module is not at fault.
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
    // The lexer requires a null character after the text.
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
};

} // namespace
