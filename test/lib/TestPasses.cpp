//===- TestPasses.cpp - Passes that only tests use ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

namespace {

/// `test-drop-locations{op=NAME}`: a pass as careless as passes can be.
struct DropLocations : PassWrapper<DropLocations, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropLocations)

  DropLocations() = default;
  DropLocations(const DropLocations &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-drop-locations"; }
  StringRef getDescription() const override {
    return "Set the locations of one kind of op to unknown";
  }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (op->getName().getStringRef() == kind)
        op->setLoc(UnknownLoc::get(op->getContext()));
    });
  }

  Option<std::string> kind{*this, "op", llvm::cl::desc("Name of the op")};
};

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MLIRProfTestPasses", "1",
          [] { PassRegistration<DropLocations>(); }};
}
