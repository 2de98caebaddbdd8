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
#include "llvm/ADT/StringExtras.h"

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

static Value callIntrinsic(OpBuilder &builder, Location location, Type type,
                           const Twine &name, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(builder, location, type,
                                       builder.getStringAttr(name), operands)
      .getResults();
}

/// Four bytes as a word.
static Value getWord(OpBuilder &builder, Location location, Value bytes) {
  return vector::ExtractOp::create(
      builder, location,
      createBitcast(builder, location, bytes, builder.getI32Type()), 0);
}

/// Extends the even and the odd ones of four bytes to 16 bits: two words.
static Value extendBytes(OpBuilder &builder, Location location, Value bytes) {
  Type word = builder.getI32Type();
  Value all = getWord(builder, location, bytes);
  Value bits = arith::ConstantIntOp::create(builder, location, word, 8);
  Value turned = LLVM::FshrOp::create(builder, location, all, all, bits);
  Value even =
      callIntrinsic(builder, location, word, kExtendBytes, ValueRange{all});
  Value odd =
      callIntrinsic(builder, location, word, kExtendBytes, ValueRange{turned});
  return vector::FromElementsOp::create(
      builder, location, VectorType::get({2}, word), ValueRange{even, odd});
}

/// The instructions that add the products of four bytes, operand `first`, and
/// of the extended ones after it to `count` sums, by a register for them.
static std::string writePairs(unsigned count, unsigned first) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (unsigned part : {0, 1}) {
    os << "sxtb16 $" << count << ", $" << first << (part ? ", ror #8" : "")
       << "\n";
    for (unsigned sum = 0; sum < count; ++sum)
      os << "smlad $" << sum << ", $" << count << ", $"
         << first + 1 + 2 * sum + part << ", $" << sum << "\n";
  }
  return text;
}

/// Adds the products of four `bytes` and of each of the `extended` ones to
/// `sums`. These are the most values that fit the registers of the machine, and
/// LLVM's scheduler would extend all bytes of a loop first: so the order is
/// that of assembly.
static SmallVector<Value> addPairs(OpBuilder &builder, Location location,
                                   ValueRange sums, Value bytes,
                                   ArrayRef<Value> extended) {
  Type word = builder.getI32Type();
  unsigned count = sums.size();
  SmallVector<Value> operands = {getWord(builder, location, bytes)};
  for (Value pair : extended)
    for (int64_t part : {0, 1})
      operands.push_back(
          vector::ExtractOp::create(builder, location, pair, part));
  unsigned inputs = operands.size();
  for (Value sum : sums)
    operands.push_back(vector::ExtractOp::create(builder, location, sum, 0));
  std::string constraints;
  for (unsigned output = 0; output <= count; ++output)
    constraints += "=&r,";
  for (unsigned input = 0; input < inputs; ++input)
    constraints += "r,";
  for (unsigned sum = 0; sum < count; ++sum)
    constraints += llvm::utostr(sum) + ",";
  constraints.pop_back();
  auto made = LLVM::InlineAsmOp::create(
      builder, location,
      LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                       SmallVector<Type>(count + 1, word)),
      operands, writePairs(count, count + 1), constraints,
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr{},
      ArrayAttr{});
  SmallVector<Value> results;
  for (auto [index, sum] : llvm::enumerate(sums))
    results.push_back(vector::BroadcastOp::create(
        builder, location, sum.getType(),
        LLVM::ExtractValueOp::create(builder, location, made.getRes(),
                                     int64_t(index))));
  return results;
}

SmallVector<Value> codegen::createPairs(OpBuilder &builder, Location location,
                                        ValueRange sums, ValueRange words,
                                        ValueRange weights) {
  SmallVector<Value> results = llvm::to_vector(sums);
  size_t columns = weights.size();
  // The factor of several products is extended once.
  if (words.size() == 1) {
    Value word = extendBytes(builder, location, words.front());
    for (auto [sum, bytes] : llvm::zip(results, weights))
      sum = addPairs(builder, location, sum, bytes, word).front();
    return results;
  }
  SmallVector<Value> extended;
  for (Value bytes : weights)
    extended.push_back(extendBytes(builder, location, bytes));
  for (auto [row, bytes] : llvm::enumerate(words)) {
    MutableArrayRef<Value> part =
        MutableArrayRef(results).slice(row * columns, columns);
    llvm::copy(addPairs(builder, location, part, bytes, extended),
               part.begin());
  }
  return results;
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
    break;
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
  llvm_unreachable("no lanes");
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
        name == kExtendBytes ||
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
