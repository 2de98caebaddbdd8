//===- Elements.cpp - Elements of constants -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "../Constants/Weights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <functional>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// The ops between an element and the constants that it is computed from.
static constexpr unsigned kMostDepth = 16;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static std::optional<Linear> multiply(Linear a, Linear b) {
  if (a.factor != 0 && b.factor != 0)
    return std::nullopt;
  return Linear{a.factor * b.offset + b.factor * a.offset, a.offset * b.offset};
}

/// A function of a number that does not depend on x.
static std::optional<Linear>
apply(Linear operand, llvm::function_ref<double(double)> function) {
  if (operand.factor != 0)
    return std::nullopt;
  return Linear{0, function(operand.offset)};
}

static std::optional<Linear> evaluate(Operation &op,
                                      ArrayRef<Linear> operands) {
  return llvm::TypeSwitch<Operation *, std::optional<Linear>>(&op)
      .Case([&](arith::AddFOp) {
        return Linear{operands[0].factor + operands[1].factor,
                      operands[0].offset + operands[1].offset};
      })
      .Case([&](arith::SubFOp) {
        return Linear{operands[0].factor - operands[1].factor,
                      operands[0].offset - operands[1].offset};
      })
      .Case([&](arith::NegFOp) {
        return Linear{-operands[0].factor, -operands[0].offset};
      })
      .Case([&](arith::MulFOp) { return multiply(operands[0], operands[1]); })
      .Case([&](arith::DivFOp) -> std::optional<Linear> {
        if (operands[1].factor != 0 || operands[1].offset == 0)
          return std::nullopt;
        return Linear{operands[0].factor / operands[1].offset,
                      operands[0].offset / operands[1].offset};
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](Operation *) { return operands[0]; })
      .Case([&](math::SqrtOp) {
        return apply(operands[0], [](double x) { return std::sqrt(x); });
      })
      .Case([&](math::RsqrtOp) {
        return apply(operands[0], [](double x) { return 1 / std::sqrt(x); });
      })
      .Case<math::PowFOp, arith::MaximumFOp, arith::MinimumFOp>(
          [&](Operation *function) -> std::optional<Linear> {
            if (operands[0].factor != 0 || operands[1].factor != 0)
              return std::nullopt;
            double a = operands[0].offset, b = operands[1].offset;
            return Linear{0, isa<math::PowFOp>(function) ? std::pow(a, b)
                             : isa<arith::MaximumFOp>(function)
                                 ? std::fmax(a, b)
                                 : std::fmin(a, b)};
          })
      .Default([](Operation *) { return std::nullopt; });
}

/// A constant that is a single float.
static std::optional<Linear> readNumber(Value value) {
  FloatAttr number;
  if (!isa<FloatType>(value.getType()) ||
      !matchPattern(value, m_Constant(&number)))
    return std::nullopt;
  return Linear{0, number.getValueAsDouble()};
}

namespace {
/// Evaluates a body for all points, one op after the other.
class ColumnEvaluator {
public:
  ColumnEvaluator(Block &body, ArrayRef<Column> arguments, size_t points)
      : body(body), points(points) {
    for (auto [argument, column] : llvm::zip(body.getArguments(), arguments))
      known[argument] = column;
  }

  std::optional<Column> run();

private:
  bool find(Value value);
  bool evaluateAll(Operation &op);
  bool checkAll(cf::AssertOp assertion);

  Block &body;
  size_t points;
  DenseMap<Value, Column> known;
};
} // namespace

/// Whether `value` is known, maybe from now on.
bool ColumnEvaluator::find(Value value) {
  if (known.contains(value))
    return true;
  std::optional<Linear> number = readNumber(value);
  if (number)
    known[value] = Column(points, *number);
  return number.has_value();
}

/// PyTorch's reciprocal asserts that its operand is not zero.
bool ColumnEvaluator::checkAll(cf::AssertOp assertion) {
  auto comparison = assertion.getArg().getDefiningOp<arith::CmpFOp>();
  if (!comparison || !find(comparison.getLhs()) || !find(comparison.getRhs()))
    return false;
  const Column &left = known.find(comparison.getLhs())->second,
               &right = known.find(comparison.getRhs())->second;
  return llvm::all_of(llvm::zip_equal(left, right), [&](auto pair) {
    auto [a, b] = pair;
    return a.factor == 0 && b.factor == 0 &&
           arith::applyCmpPredicate(comparison.getPredicate(),
                                    APFloat(a.offset), APFloat(b.offset));
  });
}

bool ColumnEvaluator::evaluateAll(Operation &op) {
  if (op.getNumResults() != 1 ||
      !llvm::all_of(op.getOperands(), [&](Value value) { return find(value); }))
    return false;
  auto columns = llvm::map_to_vector(op.getOperands(), [&](Value value) {
    return &known.find(value)->second;
  });
  SmallVector<Linear> operands(columns.size());
  Column results(points);
  for (size_t i = 0; i < points; ++i) {
    for (auto [operand, column] : llvm::zip_equal(operands, columns))
      operand = (*column)[i];
    std::optional<Linear> result = evaluate(op, operands);
    if (!result || !std::isfinite(result->factor) ||
        !std::isfinite(result->offset))
      return false;
    results[i] = *result;
  }
  known[op.getResult(0)] = std::move(results);
  return true;
}

std::optional<Column> ColumnEvaluator::run() {
  for (Operation &op : body.without_terminator()) {
    if (isa<arith::ConstantOp, arith::CmpFOp>(op))
      continue;
    auto assertion = dyn_cast<cf::AssertOp>(op);
    if (assertion ? !checkAll(assertion) : !evaluateAll(op))
      return std::nullopt;
  }
  if (body.getTerminator()->getNumOperands() != 1)
    return std::nullopt;
  Value yielded = body.getTerminator()->getOperand(0);
  return find(yielded) ? std::optional(known[yielded]) : std::nullopt;
}

std::optional<Column>
codegen::evaluateBody(Block &body, ArrayRef<Column> arguments, size_t points) {
  return ColumnEvaluator(body, arguments, points).run();
}

std::optional<Linear> codegen::evaluateBody(Block &body,
                                            ArrayRef<Linear> arguments) {
  SmallVector<Column> columns = llvm::map_to_vector(
      arguments, [](Linear argument) { return Column{argument}; });
  std::optional<Column> results = evaluateBody(body, columns, /*points=*/1);
  return results ? std::optional(results->front()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static std::optional<double> readElement(Value value, ArrayRef<int64_t> index,
                                         unsigned depth);

/// The number that all elements of the constant `value` are stored as.
static std::optional<double> readSplat(Value value) {
  DenseFPElementsAttr dense;
  if (!matchPattern(value, m_Constant(&dense)) || !dense.isSplat())
    return std::nullopt;
  return dense.getSplatValue<APFloat>().convertToDouble();
}

/// The number of type T at `index` of `weights`.
template <typename T>
static double readAt(const Weights &weights, ArrayRef<int64_t> index) {
  int64_t offset = 0;
  for (auto [at, stride] : llvm::zip_equal(index, weights.strides))
    offset += at * stride;
  T number;
  std::memcpy(&number, weights.bytes.data() + size_t(offset) * sizeof(number),
              sizeof(number));
  return number;
}

static std::optional<double> readStored(Value value, RankedTensorType type,
                                        ArrayRef<int64_t> index) {
  if (std::optional<double> number = readSplat(value))
    return number;
  std::optional<Weights> weights = findWeights(value);
  if (!weights)
    return std::nullopt;
  noteRead(weights->constant->getResult(0));
  awaitValues(type.getContext());
  return type.getElementType().isF64() ? readAt<double>(*weights, index)
                                       : readAt<float>(*weights, index);
}

/// The element of a reshape of `source`, from a tensor of `shape`.
static std::optional<double> readReshaped(Value source, ArrayRef<int64_t> shape,
                                          ArrayRef<int64_t> index,
                                          unsigned depth) {
  auto type = cast<RankedTensorType>(source.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  int64_t place = linearize(index, computeStrides(shape));
  return readElement(
      source, delinearize(place, computeStrides(type.getShape())), depth);
}

/// Whether `op` computes each element from elements of its inputs.
static bool isComputed(LinalgOp op) {
  return op.getNumDpsInits() == 1 && op.hasPureTensorSemantics() &&
         !op.hasIndexSemantics() &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// The element of an elementwise op that stores it at `index`.
static std::optional<double> readComputed(LinalgOp op, ArrayRef<int64_t> index,
                                          unsigned depth) {
  if (!isComputed(op))
    return std::nullopt;
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> loops(op.getNumLoops());
  for (auto [place, expr] : llvm::zip_equal(index, stored.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = place;
  SmallVector<Linear> arguments;
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<double> element = readElement(
        input->get(), op.getMatchingIndexingMap(input).compose(loops), depth);
    if (!element)
      return std::nullopt;
    arguments.push_back({0, *element});
  }
  arguments.push_back({});
  std::optional<Linear> result = evaluateBody(*op.getBlock(), arguments);
  return result ? std::optional(result->offset) : std::nullopt;
}

static std::optional<double> readElement(Value value, ArrayRef<int64_t> index,
                                         unsigned depth) {
  if (std::optional<Linear> number = readNumber(value))
    return number->offset;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || depth == kMostDepth ||
      !(type.getElementType().isF32() || type.getElementType().isF64()))
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::ConstantOp>(op))
    return readStored(value, type, index);
  if (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return readReshaped(op->getOperand(0), type.getShape(), index, depth + 1);
  auto structured = dyn_cast_or_null<LinalgOp>(op);
  return structured ? readComputed(structured, index, depth + 1) : std::nullopt;
}

std::optional<double> codegen::readElement(Value value,
                                           ArrayRef<int64_t> index) {
  return ::readElement(value, index, /*depth=*/0);
}

//===----------------------------------------------------------------------===//
// All elements
//===----------------------------------------------------------------------===//

static std::optional<Column> readAll(Value value, unsigned depth);

/// The elements of `input` that `op` reads for the elements of its result, in
/// their order.
static std::optional<Column> readInput(LinalgOp op, OpOperand *input,
                                       unsigned depth) {
  AffineMap stored = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap read = op.getMatchingIndexingMap(input);
  auto type = dyn_cast<RankedTensorType>(input->get().getType());
  if (!read.isProjectedPermutation() || (!type && read.getNumResults() != 0))
    return std::nullopt;
  std::optional<Column> elements = readAll(input->get(), depth);
  if (!elements)
    return std::nullopt;
  // How far the place moves with each dimension of the result.
  SmallVector<int64_t> strides(stored.getNumResults(), 0);
  if (type)
    for (auto [expr, stride] :
         llvm::zip_equal(read.getResults(), computeStrides(type.getShape())))
      strides[*stored.getResultPosition(expr)] = stride;
  Column column;
  forEachIndex(cast<RankedTensorType>(op->getResult(0).getType()).getShape(),
               [&](ArrayRef<int64_t> index) {
                 int64_t place = 0;
                 for (auto [at, stride] : llvm::zip_equal(index, strides))
                   place += at * stride;
                 column.push_back((*elements)[place]);
               });
  return column;
}

static std::optional<Column> computeAll(LinalgOp op, unsigned depth) {
  if (!isComputed(op))
    return std::nullopt;
  size_t points = size_t(
      cast<RankedTensorType>(op->getResult(0).getType()).getNumElements());
  SmallVector<Column> arguments;
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<Column> column = readInput(op, input, depth);
    if (!column)
      return std::nullopt;
    arguments.push_back(std::move(*column));
  }
  return evaluateBody(*op.getBlock(), arguments, points);
}

/// The elements of a constant, in the order of `type`.
static std::optional<Column> readAllStored(Value value, RankedTensorType type) {
  Column column;
  if (type.getNumElements() == 0)
    return column;
  if (std::optional<double> number = readSplat(value))
    return Column(size_t(type.getNumElements()), {0, *number});
  std::optional<Weights> weights = findWeights(value);
  if (!weights)
    return std::nullopt;
  noteRead(weights->constant->getResult(0));
  awaitValues(type.getContext());
  bool isDouble = type.getElementType().isF64();
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
    column.push_back({0, isDouble ? readAt<double>(*weights, index)
                                  : readAt<float>(*weights, index)});
  });
  return column;
}

static std::optional<Column> readAll(Value value, unsigned depth) {
  if (std::optional<Linear> number = readNumber(value))
    return Column{*number};
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || depth == kMostDepth ||
      !(type.getElementType().isF32() || type.getElementType().isF64()))
    return std::nullopt;
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::ConstantOp>(op))
    return readAllStored(value, type);
  if (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return readAll(op->getOperand(0), depth + 1);
  auto structured = dyn_cast_or_null<LinalgOp>(op);
  return structured ? computeAll(structured, depth + 1) : std::nullopt;
}

std::optional<Column> codegen::readElements(Value tensor) {
  return readAll(tensor, /*depth=*/0);
}
