//===- BufferPlaces.cpp - Bytes of buffers --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferPlaces.h"
#include "../Buffers/BufferPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

BufferPlace codegen::findPlace(Value buffer) {
  BufferPlace place = {buffer, 0};
  while (Operation *op = place.base.getDefiningOp()) {
    if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(
            op)) {
      auto source = dyn_cast<MemRefType>(op->getOperand(0).getType());
      if (!source || !source.getLayout().isIdentity())
        break;
      place.base = op->getOperand(0);
      continue;
    }
    auto view = dyn_cast<memref::ViewOp>(op);
    if (!view)
      break;
    std::optional<int64_t> shift = getConstantIntValue(view.getByteShift());
    int64_t offset = 0;
    if (!shift || llvm::AddOverflow(place.offset, *shift, offset))
      break;
    place = {view.getSource(), offset};
  }
  return place;
}

MemRefType codegen::getKnownType(Value buffer) {
  while (auto cast = buffer.getDefiningOp<memref::CastOp>()) {
    auto source = dyn_cast<MemRefType>(cast.getSource().getType());
    if (!source || !source.getLayout().isIdentity())
      break;
    buffer = cast.getSource();
  }
  return llvm::cast<MemRefType>(buffer.getType());
}

std::optional<int64_t> codegen::getStaticBytes(MemRefType type) {
  int64_t bytes = getNumberBytes(type.getElementType());
  if (bytes == 0 || !type.hasStaticShape())
    return std::nullopt;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

ByteAccess codegen::getAccess(BufferPlace place, MemRefType type,
                              bool isWrite) {
  ByteAccess access = {place.base, 0, INT64_MAX, isWrite, false};
  if (isa<BlockArgument>(place.base)) {
    auto *owner = cast<BlockArgument>(place.base).getOwner()->getParentOp();
    access.isAnywhere = !isa<FunctionOpInterface>(owner);
    access.base = Value();
    return access;
  }
  if (!isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(
          place.base.getDefiningOp())) {
    access.isAnywhere = true;
    return access;
  }
  access.begin = place.offset;
  std::optional<int64_t> bytes = getStaticBytes(type);
  int64_t end = 0;
  if (bytes && !llvm::AddOverflow(access.begin, *bytes, end))
    access.end = end;
  return access;
}

Value codegen::extractAddress(OpBuilder &builder, Location location,
                              Value buffer) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, location, buffer);
  address = arith::IndexCastOp::create(builder, location, builder.getI64Type(),
                                       address);
  return LLVM::IntToPtrOp::create(
      builder, location, LLVM::LLVMPointerType::get(builder.getContext()),
      address);
}
