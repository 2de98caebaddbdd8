//===- ProgramAddresses.cpp - Arrays and functions of programs ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/ProgramAddresses.h"
#include "GlobalAddresses.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// A function that does nothing but call `kernel`.
static void addThunk(OpBuilder &builder, StringRef name, StringRef kernel,
                     Location location) {
  OpBuilder::InsertionGuard guard(builder);
  auto thunk = LLVM::LLVMFuncOp::create(builder, location, name,
                                        getKernelType(builder.getContext()),
                                        LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(thunk.addEntryBlock(builder));
  auto call = LLVM::CallOp::create(builder, location, TypeRange(), kernel,
                                   thunk.getArguments());
  call.setTailCallKind(LLVM::tailcallkind::TailCallKind::NoTail);
  LLVM::ReturnOp::create(builder, location, ValueRange());
}

/// Adds the functions in the array `global` that do not exist yet.
static LogicalResult addThunks(OpBuilder &builder, LLVM::GlobalOp global,
                               ArrayAttr names) {
  auto kernels = global->getAttrOfType<ArrayAttr>(kThunkKernels);
  auto places = global->getAttrOfType<ArrayAttr>(kThunkPlaces);
  if (!kernels && !places)
    return success();
  if (!kernels || !places || kernels.size() != names.size() ||
      places.size() != names.size())
    return global.emitOpError("does not have a kernel and a location for each "
                              "of its addresses");
  for (auto [name, kernel, place] :
       llvm::zip_equal(names.getAsValueRange<StringAttr>(),
                       kernels.getAsValueRange<StringAttr>(),
                       places.getAsRange<LocationAttr>()))
    if (!kernel.empty())
      addThunk(builder, name, kernel, place);
  return success();
}

LogicalResult codegen::defineProgramAddresses(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<LLVM::GlobalOp> globals(module.getOps<LLVM::GlobalOp>());
  for (LLVM::GlobalOp global : globals) {
    auto names = global->getAttrOfType<ArrayAttr>(kAddresses);
    if (!names)
      continue;
    if (failed(addThunks(builder, global, names)))
      return failure();
    defineAddresses(global,
                    llvm::to_vector(names.getAsValueRange<StringAttr>()));
    for (StringRef attribute : {kAddresses, kThunkKernels, kThunkPlaces})
      global->removeAttr(attribute);
  }
  return success();
}
