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

/// Converts the groups in `words`, numbers of 32 bits, to the operand.
static Value convertWords(OpBuilder &builder, Location location,
                          const DotProduct &dot, Value words, Type element) {
  if (dot.kind == DotKind::Bytes && dot.isFlipped) {
    auto type = cast<VectorType>(words.getType());
    APInt signs = APInt::getSplat(32, APInt::getSignMask(8));
    words = arith::XOrIOp::create(
        builder, location, words,
        arith::ConstantOp::create(builder, location,
                                  DenseElementsAttr::get(type, signs)));
  }
  Value elements = createBitcast(builder, location, words, element);
  return dot.kind == DotKind::Words
             ? widen(builder, location, elements, dot.isBroadcastSigned)
             : elements;
}

Value codegen::createDotWord(OpBuilder &builder, Location location,
                             const DotProduct &dot, Value group) {
  auto type = VectorType::get({dot.registerLanes / dot.getColumnLanes()},
                              builder.getI32Type());
  Value words = vector::BroadcastOp::create(builder, location, type,
                                            getWord(builder, location, group));
  return convertWords(builder, location, dot, words,
                      getElementTypeOrSelf(group.getType()));
}

/// Elements of `left` and of `right` in turn, `run` of each.
static Value interleave(OpBuilder &builder, Location location, Value left,
                        Value right, int64_t run) {
  int64_t size = cast<VectorType>(left.getType()).getNumElements();
  SmallVector<int64_t> mask;
  for (int64_t begin = 0; begin < size; begin += run)
    for (int64_t side : {int64_t(0), size})
      for (int64_t i = 0; i < run; ++i)
        mask.push_back(side + begin + i);
  return vector::ShuffleOp::create(builder, location, left, right, mask);
}

Value codegen::createLaneWords(OpBuilder &builder, Location location,
                               const DotProduct &dot, ValueRange elements) {
  Value zero = arith::ConstantOp::create(
      builder, location, builder.getZeroAttr(elements[0].getType()));
  SmallVector<Value> vectors = llvm::to_vector(elements);
  vectors.resize(dot.group, zero);
  for (int64_t run = 1; vectors.size() > 1; run *= 2) {
    SmallVector<Value> joined;
    for (size_t i = 0; i < vectors.size(); i += 2)
      joined.push_back(
          interleave(builder, location, vectors[i], vectors[i + 1], run));
    vectors = std::move(joined);
  }
  Type element = getElementTypeOrSelf(zero.getType());
  Value words =
      createBitcast(builder, location, vectors.front(), builder.getI32Type());
  return convertWords(builder, location, dot, words, element);
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

/// `count` elements of `vector` from `begin` on.
static Value slice(OpBuilder &builder, Location location, Value vector,
                   int64_t begin, int64_t count) {
  if (cast<VectorType>(vector.getType()).getNumElements() == count)
    return vector;
  return vector::ExtractStridedSliceOp::create(
      builder, location, vector, ArrayRef<int64_t>{begin},
      ArrayRef<int64_t>{count}, ArrayRef<int64_t>{1});
}

/// An accumulator may take two registers: `word` is the same for both.
static Value addWords(OpBuilder &builder, Location location, Value sum,
                      Value word, Value weights) {
  int64_t numbers = cast<VectorType>(word.getType()).getNumElements();
  int64_t lanes = numbers / 2;
  auto type = VectorType::get({lanes}, builder.getI32Type());
  int64_t all = cast<VectorType>(sum.getType()).getNumElements();
  Value products;
  for (int64_t begin = 0; begin < all; begin += lanes) {
    Value part = callIntrinsic(
        builder, location, type, getWordsIntrinsic(32 * lanes),
        {word, slice(builder, location, weights, 2 * begin, numbers)});
    products =
        products ? interleave(builder, location, products, part, lanes) : part;
  }
  return arith::AddIOp::create(builder, location, sum, products);
}

Value codegen::spreadColumns(OpBuilder &builder, Location location,
                             const DotProduct &dot, Value columns) {
  if (dot.getColumnLanes() == 1)
    return columns;
  Value zero = arith::ConstantOp::create(
      builder, location, builder.getZeroAttr(columns.getType()));
  return interleave(builder, location, columns, zero, 1);
}

Value codegen::sumColumns(OpBuilder &builder, Location location,
                          const DotProduct &dot, Value lanes) {
  if (dot.getColumnLanes() == 1)
    return lanes;
  int64_t columns = cast<VectorType>(lanes.getType()).getNumElements() / 2;
  SmallVector<int64_t> even, odd;
  for (int64_t column = 0; column < columns; ++column) {
    even.push_back(2 * column);
    odd.push_back(2 * column + 1);
  }
  return arith::AddIOp::create(
      builder, location,
      vector::ShuffleOp::create(builder, location, lanes, lanes, even),
      vector::ShuffleOp::create(builder, location, lanes, lanes, odd));
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
    return addWords(builder, location, sum, word, weights);
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
