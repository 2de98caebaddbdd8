//===- DotCode.cpp - Code for sums of groups of products ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DotProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static Value createBitcast(OpBuilder &builder, Location location, Value vector,
                           Type element) {
  auto type = cast<VectorType>(vector.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  auto result =
      VectorType::get({bits / element.getIntOrFloatBitWidth()}, element);
  return vector::BitCastOp::create(builder, location, result, vector);
}

/// Extends bytes to 16 bits.
static Value widen(OpBuilder &builder, Location location, Value bytes,
                   bool isSigned) {
  auto type = VectorType::get(cast<VectorType>(bytes.getType()).getShape(),
                              builder.getI16Type());
  return isSigned
             ? Value(arith::ExtSIOp::create(builder, location, type, bytes))
             : Value(arith::ExtUIOp::create(builder, location, type, bytes));
}

Value codegen::createDotWord(OpBuilder &builder, Location location,
                             const DotProduct &dot, int64_t lanes,
                             Value group) {
  if (dot.kind == DotKind::Words)
    group = widen(builder, location, group, dot.isBroadcastSigned);
  Type element = getElementTypeOrSelf(group.getType());
  Value word = vector::ExtractOp::create(
      builder, location,
      createBitcast(builder, location, group, builder.getI32Type()), 0);
  auto type = VectorType::get({lanes}, builder.getI32Type());
  Value words = vector::BroadcastOp::create(builder, location, type, word);
  words = createBitcast(builder, location, words, element);
  if (!dot.isFlipped)
    return words;
  auto bytes = cast<VectorType>(words.getType());
  Value signs = arith::ConstantOp::create(
      builder, location,
      DenseElementsAttr::get(bytes, llvm::APInt::getSignMask(8)));
  return arith::XOrIOp::create(builder, location, words, signs);
}

Value codegen::createDotWeights(OpBuilder &builder, Location location,
                                const DotProduct &dot, Value groups) {
  return dot.kind == DotKind::Words
             ? widen(builder, location, groups, dot.areWeightsSigned)
             : groups;
}

static Value callIntrinsic(OpBuilder &builder, Location location, Type type,
                           const Twine &name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(builder, location, type,
                                       builder.getStringAttr(name), operands)
      .getResults();
}

/// The LLVM name of vpmaddwd at a register width.
static StringRef getWordsIntrinsic(int64_t bits) {
  return bits == 512   ? "llvm.x86.avx512.pmaddw.d.512"
         : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                       : "llvm.x86.sse2.pmadd.wd";
}

Value codegen::createDot(OpBuilder &builder, Location location,
                         const DotProduct &dot, Value sum, Value word,
                         Value weights) {
  Type type = sum.getType();
  int64_t bits = cast<VectorType>(type).getNumElements() * 32;
  switch (dot.kind) {
  case DotKind::Bytes:
    // The unsigned operand comes first.
    if (!dot.areWeightsSigned)
      std::swap(word, weights);
    return callIntrinsic(builder, location, type,
                         "llvm.x86.avx512.vpdpbusd." + Twine(bits),
                         {sum, word, weights});
  case DotKind::Words:
    return arith::AddIOp::create(builder, location, sum,
                                 callIntrinsic(builder, location, type,
                                               getWordsIntrinsic(bits),
                                               {word, weights}));
  case DotKind::BFloats:
    return callIntrinsic(builder, location, type,
                         "llvm.x86.avx512bf16.dpbf16ps." + Twine(bits),
                         {sum, word, weights});
  }
  llvm_unreachable("unknown kind");
}

namespace {

/// Memory effects of intrinsic calls, which upstream does not declare: the
/// passes that free buffers would reject the calls.
struct IntrinsicEffects
    : public MemoryEffectOpInterface::ExternalModel<IntrinsicEffects,
                                                    LLVM::CallIntrinsicOp> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    StringRef name = cast<LLVM::CallIntrinsicOp>(op).getIntrin();
    if (name.starts_with("llvm.x86.avx512.vpdpbusd.") ||
        name.starts_with("llvm.x86.avx512bf16.dpbf16ps.") ||
        llvm::is_contained({getWordsIntrinsic(128), getWordsIntrinsic(256),
                            getWordsIntrinsic(512)},
                           name))
      return;
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
};

} // namespace

void codegen::registerDotEffects(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect>();
  registry.addExtension(+[](MLIRContext *context, LLVM::LLVMDialect *) {
    LLVM::CallIntrinsicOp::attachInterface<IntrinsicEffects>(*context);
  });
}
