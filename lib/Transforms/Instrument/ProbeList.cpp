//===- ProbeList.cpp - The probes of a module -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeList.h"

#include "mlir-prof/Transforms/Instrument.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

ProbeList::ProbeList(ModuleOp module) {
  module.walk([&](Operation *op) {
    if (auto begin = dyn_cast<prof::BeginOp>(op))
      begins.push_back(begin);
    else if (auto value = dyn_cast<prof::ValueOp>(op))
      values.push_back(value);
    else if (auto part = dyn_cast<prof::PartOp>(op))
      parts.push_back(part);
  });
}

void transforms::emitDropped(ModuleOp module, const ProbeList &probes) {
  emitWarning(module.getLoc())
      << "prof-lower-probes: dropped " << probes.begins.size() << " probes and "
      << probes.values.size() << " recorded values; they will not be measured";
}

void transforms::removePartLists(ModuleOp module) {
  module->removeAttr(prof::ProfDialect::getPartsAttrName());
  for (auto function : module.getOps<FunctionOpInterface>())
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
      function.removeArgAttr(i, prof::ProfDialect::getPartAttrName());
}

void transforms::dropProbes(ModuleOp module) {
  removePartLists(module);
  ProbeList probes(module);
  if (probes.empty())
    return;
  emitDropped(module, probes);
  for (prof::BeginOp begin : probes.begins) {
    for (Operation *end :
         llvm::make_early_inc_range(begin.getToken().getUsers()))
      end->erase();
    begin.erase();
  }
  for (prof::ValueOp value : probes.values)
    value.erase();
  // Kernels without probes do not read it.
  for (prof::PartOp part : probes.parts) {
    OpBuilder builder(part);
    part.replaceAllUsesWith(
        LLVM::ConstantOp::create(builder, part.getLoc(), builder.getI64Type(),
                                 builder.getI64IntegerAttr(0))
            .getResult());
    part.erase();
  }
}
