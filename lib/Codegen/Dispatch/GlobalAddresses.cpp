//===- GlobalAddresses.cpp - Globals that hold addresses ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalAddresses.h"
#include "mlir-prof/Codegen/ProgramAddresses.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Addresses in one of the arrays of a long one.
static constexpr size_t kPart = 64;

/// A struct or array `type` of the addresses of `symbols`.
static Value build(OpBuilder &builder, Location location, Type type,
                   ArrayRef<StringRef> symbols) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value all = LLVM::ZeroOp::create(builder, location, type);
  for (auto [index, symbol] : llvm::enumerate(symbols)) {
    if (symbol.empty())
      continue;
    Value address =
        LLVM::AddressOfOp::create(builder, location, pointer, symbol);
    all = LLVM::InsertValueOp::create(builder, location, all, address,
                                      int64_t(index));
  }
  return all;
}

static Value buildInParts(OpBuilder &builder, Location location, Type type,
                          Type part, ArrayRef<StringRef> symbols) {
  Value all = LLVM::ZeroOp::create(builder, location, type);
  for (int64_t index = 0; !symbols.empty(); ++index) {
    ArrayRef<StringRef> own = symbols.take_front(kPart);
    symbols = symbols.drop_front(own.size());
    all = LLVM::InsertValueOp::create(
        builder, location, all, build(builder, location, part, own), index);
  }
  return all;
}

void codegen::defineAddresses(LLVM::GlobalOp global,
                              ArrayRef<StringRef> symbols) {
  OpBuilder builder(global.getContext());
  Location location = global.getLoc();
  builder.createBlock(&global.getInitializerRegion());
  Type type = global.getGlobalType();
  Value all;
  if (isa<LLVM::LLVMArrayType>(type) && symbols.size() > kPart) {
    Type part = LLVM::LLVMArrayType::get(
        LLVM::LLVMPointerType::get(builder.getContext()), kPart);
    type = LLVM::LLVMArrayType::get(
        part, unsigned(llvm::divideCeil(symbols.size(), kPart)));
    global.setGlobalType(type);
    all = buildInParts(builder, location, type, part, symbols);
  } else {
    all = build(builder, location, type, symbols);
  }
  LLVM::ReturnOp::create(builder, location, all);
}

void codegen::defineAddressesLater(LLVM::GlobalOp global,
                                   ArrayRef<StringRef> symbols) {
  global->setAttr(kAddresses,
                  Builder(global.getContext()).getStrArrayAttr(symbols));
}

LLVM::LLVMFunctionType codegen::getKernelType(MLIRContext *context) {
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type number = IntegerType::get(context, 32);
  return LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(context),
      {pointer, pointer, number, number, number});
}
