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

static constexpr StringLiteral kExtendBytes = "llvm.arm.sxtb16";
static constexpr StringLiteral kMultiplyPairs = "llvm.arm.smlad";

static Value callIntrinsic(OpBuilder &builder, Location location, Type type,
                           const Twine &name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(builder, location, type,
                                       builder.getStringAttr(name), operands)
      .getResults();
}

/// Extends the even and the odd ones of four bytes to 16 bits: two words.
static Value extendBytes(OpBuilder &builder, Location location, Value bytes) {
  Type word = builder.getI32Type();
  Value all = vector::ExtractOp::create(
      builder, location, createBitcast(builder, location, bytes, word), 0);
  Value bits = arith::ConstantIntOp::create(builder, location, word, 8);
  Value turned = LLVM::FshrOp::create(builder, location, all, all, bits);
  Value even =
      callIntrinsic(builder, location, word, kExtendBytes, ValueRange{all});
  Value odd =
      callIntrinsic(builder, location, word, kExtendBytes, ValueRange{turned});
  return vector::FromElementsOp::create(
      builder, location, VectorType::get({2}, word), ValueRange{even, odd});
}

/// Adds the products of four bytes, which `extendBytes` extended.
static Value addPairs(OpBuilder &builder, Location location, Value sum,
                      Value word, Value weights) {
  Value result = vector::ExtractOp::create(builder, location, sum, 0);
  for (int64_t part : {0, 1})
    result = callIntrinsic(
        builder, location, builder.getI32Type(), kMultiplyPairs,
        {vector::ExtractOp::create(builder, location, word, part),
         vector::ExtractOp::create(builder, location, weights, part), result});
  return vector::BroadcastOp::create(builder, location, sum.getType(), result);
}

Value codegen::createDotWord(OpBuilder &builder, Location location,
                             const DotProduct &dot, int64_t lanes,
                             Value group) {
  if (dot.kind == DotKind::Pairs)
    return extendBytes(builder, location, group);
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
  if (dot.kind == DotKind::Pairs)
    return extendBytes(builder, location, groups);
  return dot.kind == DotKind::Words
             ? widen(builder, location, groups, dot.areWeightsSigned)
             : groups;
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
  case DotKind::Pairs:
    return addPairs(builder, location, sum, word, weights);
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
        name == kExtendBytes || name == kMultiplyPairs ||
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
