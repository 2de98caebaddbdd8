//===- DataLayout.cpp - Types of a target in the LLVM dialect -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Lowering.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlirprof;

void codegen::setIndexBits(ModuleOp module, unsigned addressBits) {
  if (DataLayout(module).getTypeSizeInBits(
          IndexType::get(module.getContext())) == addressBits)
    return;
  Builder builder(module.getContext());
  DataLayoutEntryInterface entry = DataLayoutEntryAttr::get(
      builder.getIndexType(), builder.getI64IntegerAttr(addressBits));
  module->setAttr(DLTIDialect::kDataLayoutAttrName,
                  DataLayoutSpecAttr::get(module.getContext(), {entry}));
}

LowerToLLVMOptions codegen::getLoweringOptions(ModuleOp module) {
  return LowerToLLVMOptions(module.getContext(), DataLayout(module));
}
