//===- ProbeTranslation.cpp - Probes that were not lowered ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeList.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "mlir/Target/LLVMIR/ModuleTranslation.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

namespace {
struct ProbeTranslation : LLVMTranslationDialectInterface {
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult
  convertOperation(Operation *op, llvm::IRBuilderBase &,
                   LLVM::ModuleTranslation &translation) const final {
    // The op does not generate code. One warning covers the whole module, which
    // a mark records.
    llvm::Module &made = *translation.getLLVMModule();
    if (made.getNamedMetadata(kMark))
      return success();
    made.getOrInsertNamedMetadata(kMark);
    auto module = op->getParentOfType<ModuleOp>();
    if (module)
      emitDropped(module, ProbeList(module));
    return success();
  }

private:
  static constexpr StringLiteral kMark = "prof.dropped";
};
} // namespace

void transforms::registerProbeTranslation(DialectRegistry &registry) {
  registry.insert<prof::ProfDialect>();
  registry.addExtension(+[](MLIRContext *, prof::ProfDialect *dialect) {
    dialect->addInterfaces<ProbeTranslation>();
  });
}
